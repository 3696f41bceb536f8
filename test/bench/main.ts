/**
 * npm run bench: the hot paths in a short form, under three minutes.
 * npm run bench -- all | filter: in full, everything, or each *.bench.ts with a matching name, path, or issue number.
 * Figures of one machine are comparable within one run only; that is why every row brings its own floor.
 */
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, relative } from "node:path";
import globalSetup from "../support/servers/global-setup.ts";
import globalTeardown from "../support/servers/global-teardown.ts";
import { createEnv } from "./frame/env.ts";
import { type BenchResult, runRounds } from "./frame/rounds.ts";
import type { BenchSpec } from "./frame/spec.ts";
import { resultTable } from "./frame/table.ts";

const here = import.meta.dirname;
/** Leaves half a minute of the three on a slow machine. */
const SHORT_FORM = { rounds: 3, roundMs: 1_500 };
const say = (line: string) => void process.stdout.write(`${line}\n`);

async function loadSpecs(filter: string): Promise<BenchSpec[]> {
  const files = globSync("**/*.bench.ts", { cwd: here }).sort();
  const loaded = await Promise.all(
    files.map(async (file) => ({
      file,
      spec: ((await import(join(here, file))) as { bench: BenchSpec }).bench,
    })),
  );
  const isWanted = ({ file, spec }: { file: string; spec: BenchSpec }) => {
    if (filter === "") return spec.isHotPath === true;
    if (/^\d+$/.test(filter)) return spec.issue === Number(filter);
    return filter === "all" || `${file} ${spec.name}`.includes(filter);
  };
  return loaded
    .filter(isWanted)
    .map(({ spec }) => (filter === "" ? { ...spec, ...SHORT_FORM } : spec))
    .sort((a, b) => a.issue - b.issue);
}

async function runSpec(spec: BenchSpec): Promise<BenchResult> {
  const startedAt = performance.now();
  say(`\n${spec.name} (issue ${spec.issue})`);
  const { env, close } = createEnv();
  try {
    const plan = await spec.setup(env);
    process.stdout.write("  rounds:");
    try {
      return await runRounds(spec, plan, (text) => void process.stdout.write(` ${text}`));
    } finally {
      await plan.teardown?.();
    }
  } finally {
    await close();
    say(`  (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
  }
}

function writeResults(results: readonly BenchResult[]): string {
  const dir = join(here, "results");
  mkdirSync(dir, { recursive: true });
  const at = new Date().toISOString();
  const file = join(dir, `${at.replaceAll(":", "-")}.json`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, arch: process.arch, node: process.version };
  writeFileSync(file, `${JSON.stringify({ at, machine, results }, null, 2)}\n`);
  return file;
}

async function main(filter: string): Promise<void> {
  const specs = await loadSpecs(filter);
  if (specs.length === 0) throw new Error(`No benchmark matches "${filter}".`);
  say(`${specs.length} benchmark(s); starting mongod, nats-server and the S3 API …`);
  await globalSetup();
  const results: BenchResult[] = [];
  let failed = 0;
  try {
    for (const spec of specs) {
      try {
        results.push(await runSpec(spec));
      } catch (error) {
        failed += 1;
        say(`  failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await globalTeardown();
  }
  if (results.length > 0)
    say(`\n${resultTable(results)}\n\nwritten to ${relative(".", writeResults(results))}`);
  if (failed > 0) throw new Error(`${failed} benchmark(s) failed.`);
}

main(process.argv[2] ?? "").catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
