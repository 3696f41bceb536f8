/**
 * npm run bench: the hot paths in a short form, under three minutes.
 * npm run bench -- all | filter: in full, everything, or each *.bench.ts with a matching name, path, or issue number.
 * npm run bench -- compare <dir> [filter]: the hot paths, the services of this checkout beside those of another one.
 * A filter is a part of a row's name, or several with commas.
 * --rounds 2: so many rounds of each row. Fewer than five decide nothing; they show that the row runs.
 * --on embedded,three-copies-synced: the rows on the first kind of servers, the hot paths among them also on the
 * others, and all side by side at the end. three-copies: three members of MongoDB and three servers of NATS, with TLS;
 * three-copies-synced: every message on the disk before it is acknowledged. PBO_TEST_INFRA names a single kind, too.
 * Figures of one machine are comparable within one run only; that is why every row brings its own floor.
 * A row that fails or misses its goal makes the run fail; one that its rounds do not decide is only named.
 */
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { processEnv } from "../../shared/config/config.ts";
import globalSetup from "../support/servers/global-setup.ts";
import globalTeardown from "../support/servers/global-teardown.ts";
import { againstCheckout } from "./compare.ts";
import { cpuTimes } from "./frame/cpu.ts";
import { createEnv } from "./frame/env.ts";
import { type BenchResult, runRounds } from "./frame/rounds.ts";
import type { BenchSpec } from "./frame/spec.ts";
import { resultTable, sideBySide } from "./frame/table.ts";

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

function writeResults({ servers, results }: Run, folder: string): string {
  const dir = join(here, folder);
  mkdirSync(dir, { recursive: true });
  const at = new Date().toISOString();
  const file = join(dir, `${at.replaceAll(":", "-")}.json`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, arch: process.arch, node: process.version };
  writeFileSync(file, `${JSON.stringify({ at, machine, servers, results }, null, 2)}\n`);
  return relative(".", file);
}

/** With its cause: "fetch failed" alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/** Rows that failed have no result. */
type Run = { servers: string; results: BenchResult[]; failed: string[] };

async function runOn(kind: string, specs: readonly BenchSpec[]): Promise<Run> {
  say(`${specs.length} benchmark(s); starting mongod, nats-server and the S3 API …`);
  processEnv().PBO_TEST_INFRA = kind;
  await globalSetup();
  const run: Run = { servers: globalThis.pboTestInfra?.name ?? "", results: [], failed: [] };
  try {
    for (const spec of specs)
      try {
        run.results.push(await runSpec(spec));
      } catch (error) {
        say(`  failed: ${reasonOf(error)}`);
        run.failed.push(spec.name);
      }
  } finally {
    await globalTeardown();
  }
  return run;
}

/** The verdict of each comparison, and its servers. */
const outcomes = (runs: readonly Run[]): [outcome: string, row: string][] =>
  runs.flatMap(({ servers, results, failed }) => {
    const judged = results.flatMap(({ name, floors, missing }) => [
      ...missing.map((floor): [string, string] => ["not measured", floor.name]),
      ...floors.flatMap((floor) =>
        floor.compared.flatMap(({ verdict, measure }): [string, string][] =>
          verdict ? [[verdict, `${name}, ${measure} beside ${floor.name}, on ${servers}`]] : [],
        ),
      ),
    ]);
    return [...judged, ...failed.map((name): [string, string] => ["failed", `${name}, on ${servers}`])];
  });

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: "string" }, on: { type: "string" } },
  });
  const wanted = await wantedSpecs(positionals);
  if (wanted.length === 0) throw new Error(`No benchmark matches "${positionals.join(" ")}".`);
  const rounds = Number(values.rounds);
  if (values.rounds !== undefined && !(rounds >= 1)) throw new Error("--rounds wants a number from 1 on.");
  const specs = values.rounds ? wanted.map((spec) => ({ ...spec, rounds })) : wanted;
  const [first = "", ...others] = (values.on ?? (processEnv().PBO_TEST_INFRA || "embedded")).split(",");
  const runs: Run[] = [];
  for (const kind of [first, ...others]) {
    const run = await runOn(kind, kind === first ? specs : specs.filter((spec) => spec.hotPath));
    runs.push(run);
    if (run.results.length === 0) continue;
    // Figures of two platforms on one machine, or of other servers, do not belong in the capacity table.
    const apart = positionals[0] === "compare" ? "compare" : kind === "embedded" ? "" : kind;
    const file = writeResults(run, join("results", apart));
    say(`\nOn ${run.servers}:\n${resultTable(run.results)}\n\nwritten to ${file}`);
  }
  if (runs.length > 1) say(`\nSide by side:\n${sideBySide(runs)}`);
  const all = outcomes(runs);
  for (const [outcome, row] of all) if (outcome !== "passed") say(`${outcome}: ${row}`);
  const count = (wanted: string) => all.filter(([outcome]) => outcome === wanted).length;
  say(
    ["passed", "missed", "undecided", "not measured", "failed"]
      .map((one) => `${count(one)} ${one}`)
      .join(", "),
  );
  if (count("missed") + count("failed") > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
});
