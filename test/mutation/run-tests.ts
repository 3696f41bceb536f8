/** The tests about a file, run in a copy of the checkout. Each time in a new process: Node remembers what it imported. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { RelatedTests } from "./related-tests.ts";

export type Outcome = "passed" | "failed" | "timed out";

/** As the npm script has it, without the time npm takes. */
const JEST = ["node_modules/jest/bin/jest.js", "--runInBand", "--bail", "--forceExit", "--silent"];

/** Unit tests first; the suites with servers only when these have seen nothing. */
export async function runTests(
  path: string,
  { unit, integration }: RelatedTests,
  withinMs: number,
): Promise<Outcome> {
  const seen = unit.length > 0 ? await jest(path, "unit", unit, withinMs) : "passed";
  if (seen !== "passed" || integration.length === 0) return seen;
  return jest(path, "integration", integration, withinMs);
}

function jest(path: string, project: string, files: readonly string[], withinMs: number): Promise<Outcome> {
  const chosen = [`--selectProjects=${project}`, "--runTestsByPath", ...files];
  const child = spawn(join(path, "deploy/run-node"), [...JEST, ...chosen], {
    cwd: path,
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
