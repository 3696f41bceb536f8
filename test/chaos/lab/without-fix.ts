/** Runs the laboratory on a copy of the checkout from which a fix was taken out, until it finds what was mended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { copyCheckout } from "../../support/checkout-copy.ts";
import { edited } from "../../support/source-edit.rules.ts";
import { REMOVED_FIXES, type RemovedFix } from "./removed-fixes.rules.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** What the laboratory ends with when a round had a violation, or the one that was looked for; 1: it could not run. */
export const FOUND = 2;

/** The copy's laboratory is given these options. */
export async function isFoundWithout(fix: RemovedFix, options: readonly string[]): Promise<boolean> {
  const copy = copyCheckout(ROOT);
  try {
    const { edits, shows } = REMOVED_FIXES[fix];
    for (const edit of edits)
      copy.write(edit.file, edited(readFileSync(join(copy.path, edit.file), "utf8"), edit));
    const command = ["test/chaos/lab/main.ts", "--until-found", shows, ...options];
    const child = spawn(join(copy.path, "deploy/run-node"), command, { cwd: copy.path, stdio: "inherit" });
    const [code] = await once(child, "exit");
    if (code !== 0 && code !== FOUND) throw new Error(`The laboratory ended with ${code}.`);
    return code === FOUND;
  } finally {
    copy.remove();
  }
}
