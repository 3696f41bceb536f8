/** Runs the laboratory on a copy of the checkout from which a fix was taken out, until it finds what was mended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { edited } from "../../support/source-edit.rules.ts";
import { REMOVED_FIXES, type RemovedFix } from "./removed-fixes.rules.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Exit code after a violation, or after the sought one; 1: the laboratory could not run. */
export const FOUND = 2;

const NOT_COPIED = /^(node_modules|\.git|\.local|test\/bench\/results)(\/|$)/;

/** The copy's laboratory is given these options. */
export async function isFoundWithout(fix: RemovedFix, options: readonly string[]): Promise<boolean> {
  const copy = mkdtempSync(join(tmpdir(), "pbo-copy-"));
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (from) => !NOT_COPIED.test(relative(ROOT, from)) });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    const { edits, shows } = REMOVED_FIXES[fix];
    for (const edit of edits) {
      const file = join(copy, edit.file);
      writeFileSync(file, edited(readFileSync(file, "utf8"), edit));
    }
    const command = ["test/chaos/lab/main.ts", "--until-found", shows, ...options];
    const child = spawn(join(copy, "deploy/run-node"), command, { cwd: copy, stdio: "inherit" });
    const [code] = await once(child, "exit");
    if (code !== 0 && code !== FOUND) throw new Error(`The laboratory ended with ${code}.`);
    return code === FOUND;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
