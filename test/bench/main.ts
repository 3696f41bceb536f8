/**
 * npm run bench: the hot paths in a short form, under three minutes.
 * npm run bench -- all | filter: in full, everything, or each *.bench.ts with a matching name, path, or issue number.
 * npm run bench -- compare <dir> [filter]: the hot paths, the services of this checkout beside those of another one.
 * A filter is a part of a row's name, or several with commas.
 * PBO_TEST_INFRA=three-copies npm run bench -- create: on three members of MongoDB and three servers of NATS, with TLS;
 * three-copies-synced: every message on the disk before it is acknowledged.
 * Figures of one machine are comparable within one run only; that is why every row brings its own floor.
 * A row that fails or misses its goal makes the run fail; one that its rounds do not decide is only named.
 */
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, relative } from "node:path";
import { processEnv } from "../../shared/config/config.ts";
import globalSetup from "../support/servers/global-setup.ts";
import globalTeardown from "../support/servers/global-teardown.ts";
import { againstCheckout } from "./compare.ts";
import { cpuTimes } from "./frame/cpu.ts";
import { createEnv } from "./frame/env.ts";
import { type BenchResult, runRounds } from "./frame/rounds.ts";
import type { BenchSpec } from "./frame/spec.ts";
import { resultTable } from "./frame/table.ts";
import type { Verdict } from "./frame/verdict.rules.ts";

const here = import.meta.dirname;
/** As few rounds as can decide a row, and short ones. */
const SHORT_FORM = { rounds: 5, roundMs: 900 };
const say = (line: string) => void process.stdout.write(`${line}\n`);

type Loaded = { file: string; spec: BenchSpec };

async function loadSpecs(): Promise<Loaded[]> {
  const files = globSync("**/*.bench.ts", { cwd: here }).sort();
  const load = async (file: string) => (await import(join(here, file))) as { bench: BenchSpec };
  const loaded = await Promise.all(files.map(async (file) => ({ file, spec: (await load(file)).bench })));
  return loaded.sort((a, b) => a.spec.issue - b.spec.issue);
}

const isHot = ({ spec }: Loaded): boolean => spec.hotPath !== undefined;

const matches =
  (filter: string) =>
  ({ file, spec }: Loaded): boolean => {
    if (/^\d+$/.test(filter)) return spec.issue === Number(filter);
    return filter === "all" || filter.split(",").some((part) => `${file} ${spec.name}`.includes(part));
  };

async function wantedSpecs([first, dir, filter = "all"]: readonly string[]): Promise<BenchSpec[]> {
  const all = await loadSpecs();
  const specs = (list: readonly Loaded[]) => list.map(({ spec }) => spec);
  if (first === undefined) return specs(all.filter(isHot)).map((spec) => ({ ...spec, ...SHORT_FORM }));
  if (first !== "compare") return specs(all.filter(matches(first)));
  if (dir === undefined) throw new Error("npm run bench -- compare <dir of the other checkout> [filter]");
  return specs(all.filter(isHot).filter(matches(filter))).map((spec) => againstCheckout(spec, dir));
}

async function runSpec(spec: BenchSpec): Promise<BenchResult> {
  const startedAt = performance.now();
  say(`\n${spec.name} (issue ${spec.issue})`);
  const { env, processes, close } = createEnv();
  try {
    const plan = await spec.setup(env);
    process.stdout.write("  rounds:");
    return await runRounds(
      spec,
      plan,
      (text) => void process.stdout.write(` ${text}`),
      () => cpuTimes([...processes(), ...(globalThis.pboTestInfra?.processes() ?? [])]),
    );
  } finally {
    await close();
    say(`  (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
  }
}

function writeResults(results: readonly BenchResult[], servers: string, folder: string): string {
  const dir = join(here, folder);
  mkdirSync(dir, { recursive: true });
  const at = new Date().toISOString();
  const file = join(dir, `${at.replaceAll(":", "-")}.json`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, arch: process.arch, node: process.version };
  writeFileSync(file, `${JSON.stringify({ at, machine, servers, results }, null, 2)}\n`);
  return file;
}

/** With its cause: "fetch failed" alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

async function runAll(specs: readonly BenchSpec[]): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const spec of specs)
    try {
      results.push(await runSpec(spec));
    } catch (error) {
      say(`  failed: ${reasonOf(error)}`);
    }
  return results;
}

async function main(args: readonly string[]): Promise<void> {
  const specs = await wantedSpecs(args);
  if (specs.length === 0) throw new Error(`No benchmark matches "${args.join(" ")}".`);
  say(`${specs.length} benchmark(s); starting mongod, nats-server and the S3 API …`);
  await globalSetup();
  const servers = globalThis.pboTestInfra?.name ?? "";
  const results = await runAll(specs).finally(globalTeardown);
  // Figures of two platforms on one machine, or of other servers, do not belong in the capacity table.
  const apart = args[0] === "compare" ? "compare" : processEnv().PBO_TEST_INFRA;
  const folder = apart ? `results/${apart}` : "results";
  if (results.length > 0)
    say(
      `\nOn ${servers}:\n${resultTable(results)}\n\nwritten to ${relative(".", writeResults(results, servers, folder))}`,
    );
  const count = (verdict: Verdict) =>
    results.flatMap(({ floors }) => floors).filter((floor) => floor.verdict === verdict).length;
  const [missed, failed] = [count("missed"), specs.length - results.length];
  say(
    `${count("passed")} passed, ${missed} missed, ${count("undecided")} undecided, ${failed} failed to run`,
  );
  if (missed + failed > 0) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
});
