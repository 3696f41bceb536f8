/** A copy of the checkout for one mistake at a time: the files of the person who runs it are never touched. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { RelatedTests } from "./related-tests.ts";

export type Outcome = "passed" | "failed" | "timed out";

export type CheckoutCopy = {
  write(file: string, source: string): void;
  /** Unit tests first; the suites with servers only when these have seen nothing. */
  test(tests: RelatedTests, withinMs: number): Promise<Outcome>;
  remove(): void;
};

/** As the npm script has it, without the time npm takes. */
const JEST = [
  "--experimental-vm-modules",
  "--disable-warning=ExperimentalWarning",
  "node_modules/jest/bin/jest.js",
];
const NOT_COPIED = /^(node_modules|\.git|\.local|test\/bench\/results)(\/|$)/;

export function copyCheckout(root: string): CheckoutCopy {
  const copy = mkdtempSync(join(tmpdir(), "pbo-mutation-"));
  cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.test(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

  function jest(project: string, files: readonly string[], withinMs: number): Promise<Outcome> {
    const options = [`--selectProjects=${project}`, "--runInBand", "--bail", "--forceExit", "--silent"];
    const child = spawn(join(copy, "deploy/run-node"), [...JEST, ...options, "--runTestsByPath", ...files], {
      cwd: copy,
      stdio: "ignore",
      detached: true,
    });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve("timed out");
        // The servers of the suite are ended by their guard, which sees that their parent is gone.
        if (child.pid) process.kill(-child.pid, "SIGKILL");
      }, withinMs);
      child.on("exit", (code) => {
        clearTimeout(timer);
        resolve(code === 0 ? "passed" : "failed");
      });
    });
  }

  return {
    write: (file, source) => writeFileSync(join(copy, file), source),
    async test({ unit, integration }, withinMs) {
      const seen = unit.length > 0 ? await jest("unit", unit, withinMs) : "passed";
      if (seen !== "passed" || integration.length === 0) return seen;
      return jest("integration", integration, withinMs);
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
