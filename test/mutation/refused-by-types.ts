/** Mistakes that the compiler refuses, as npm test does before any test. Only mistakes that no test noticed are asked about. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Judged } from "./judge-group.ts";

const COPIED = ["services", "gateway", "shared", "tsconfig.json", "package.json"];
const CONFIG = { extends: "./tsconfig.json", include: ["services", "gateway", "shared"] };
const TSC = ["node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", "mutation.json"];
const FAULT = /^(\S+)\(\d+,\d+\): error/gm;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** A round has one mistake of each file. Only errors in the mistaken file itself count, so a mistake is never refused for another. */
export async function refusedByTypes(root: string, survivors: readonly Judged[]): Promise<Set<Judged>> {
  const refused = new Set<Judged>();
  const byFile = [...Map.groupBy(survivors, ({ file }) => file).values()];
  const copy = mkdtempSync(join(tmpdir(), "pbo-types-"));
  try {
    for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    writeFileSync(join(copy, "mutation.json"), JSON.stringify(CONFIG));
    for (let round = 0; byFile.some((some) => some.length > round); round += 1) {
      const tried = byFile.flatMap((some) => some.slice(round, round + 1));
      for (const { file, source } of tried) writeFileSync(join(copy, file), source);
      const faulty = await filesWithErrors(copy);
      for (const one of tried) if (faulty.has(one.file)) refused.add(one);
      for (const { file } of tried) cpSync(join(root, file), join(copy, file));
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return refused;
}

/** An error code without a file named is a fault of the run. */
async function filesWithErrors(cwd: string): Promise<Set<string>> {
  const output = await promisify(execFile)(process.execPath, TSC, { cwd, maxBuffer: OUTPUT_BYTES }).then(
    () => "",
    (error: { stdout: string }) => {
      if (error.stdout.search(FAULT) < 0) throw error;
      return error.stdout;
    },
  );
  return new Set([...output.matchAll(FAULT)].map(([, file = ""]) => file));
}
