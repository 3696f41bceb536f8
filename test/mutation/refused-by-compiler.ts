/** Mistakes that do not compile: npm test begins with the compiler. Those that cannot disturb each other are tried at once. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyCheckout } from "../support/checkout-copy.ts";
import type { Judged } from "./judge-group.ts";

const CONFIG = { extends: "./tsconfig.json", include: ["services", "gateway", "shared"] };
const TSC = [
  "node_modules/typescript/bin/tsc",
  "--noEmit",
  "--incremental",
  "--pretty",
  "false",
  "-p",
  "mutation.json",
];
const FAULT = /^(\S+)\(\d+,\d+\): error/m;
const OUTPUT_BYTES = 64 * 1024 * 1024;

export async function refusedByCompiler(root: string, survivors: readonly Judged[]): Promise<Set<Judged>> {
  const refused = new Set<Judged>();
  if (survivors.length === 0) return refused;
  const copy = copyCheckout(root);
  try {
    copy.write("mutation.json", JSON.stringify(CONFIG));
    for (const round of roundsOf(survivors)) {
      for (const { file, source } of round) copy.write(file, source);
      const files = await filesWithErrors(copy.path);
      for (const job of round) if (files.has(job.file)) refused.add(job);
      for (const { file } of round) copy.write(file, readFileSync(join(root, file), "utf8"));
    }
  } finally {
    copy.remove();
  }
  return refused;
}

/** No file of a round imports another of it: an error in a file is its own. */
function roundsOf(survivors: readonly Judged[]): Judged[][] {
  const rounds: Judged[][] = [];
  for (const job of survivors) {
    const isApart = (other: Judged) =>
      !other.affected.includes(job.file) && !job.affected.includes(other.file);
    const free = rounds.find((round) => round.every(isApart));
    if (free) free.push(job);
    else rounds.push([job]);
  }
  return rounds;
}

async function filesWithErrors(path: string): Promise<Set<string>> {
  const done = promisify(execFile)(process.execPath, TSC, { cwd: path, maxBuffer: OUTPUT_BYTES });
  const stdout = await done.then(
    () => "",
    (error: { stdout: string }) => {
      // It says with one code that it found errors, and with another that it also wrote nothing.
      if (!FAULT.test(error.stdout)) throw error;
      return error.stdout;
    },
  );
  return new Set([...stdout.matchAll(new RegExp(FAULT, "gm"))].map(([, file = ""]) => file));
}
