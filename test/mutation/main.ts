/**
 * npm run mutate: puts one small mistake at a time into rules, repositories, consumers and loops, runs the tests about
 * that place in a copy of the checkout, and says which mistakes no test noticed.
 * Options: --files <part of a path> (again for more), --sample <mutants>, --seed <number>, --jobs <copies>,
 * --unit (no suite with servers), --known (only those that once passed every suite), --json <file>.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../chaos/seeded-random.ts";
import { type CheckoutCopy, copyCheckout } from "../support/checkout-copy.ts";
import { edited } from "../support/source-edit.rules.ts";
import { EXPLAINED } from "./explained.ts";
import { KNOWN_MISTAKES, type KnownMistake, testsOf } from "./known-mistakes.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { createRelatedTests, type RelatedTests } from "./related-tests.ts";
import { type Outcome, runTests } from "./run-tests.ts";

const root = join(import.meta.dirname, "../..");
const say = (line: string) => void process.stdout.write(`${line}\n`);

const TARGETS = [
  "{services,gateway,shared}/**/*.{rules,repository,consumer}.ts",
  "services/delivery/due/*.ts",
  "services/delivery/{attempt,intake,replay}/{attempt-task,run-attempts,load-attempts,update-store}.ts",
  "services/delivery/intake/{plan-deliveries,record-events,confirm-events}.ts",
  "services/delivery/replay/{run-replay-jobs,replay-chunk}.ts",
  "services/delivery/endpoint/{endpoint-queues,endpoint-directory,health-reporter}.ts",
  "services/document/{sweep-documents,tend-document,reconcile-document}.ts",
  "services/webhook-registry/sweep-endpoints.ts",
  "shared/outbox/*.ts",
  "shared/jetstream/jetstream-{dispatch,pull}.ts",
  "shared/{batcher,poll-loop,retry}.ts",
];

/** A mistake may make a test wait: it has what the tests need without it, several times, and this much more. */
const PATIENCE = { factor: 3, moreMs: 15_000 };
const MAX_BASE_MS = 300_000;

type Job = Mutant & { file: string };
type Judged = Job & { outcome: Outcome | "no test"; reason?: string };
/** Mistakes that the same tests are about. */
type Group = { name: string; tests: RelatedTests; jobs: Job[] };

const { values: options } = parseArgs({
  options: {
    files: { type: "string", multiple: true, default: [""] },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    unit: { type: "boolean", default: false },
    known: { type: "boolean", default: false },
    json: { type: "string", default: join(tmpdir(), "pbo-mutation.json") },
  },
});

const isWanted = (file: string): boolean => options.files.some((part) => file.includes(part));
const sourceOf = (file: string): string => readFileSync(join(root, file), "utf8");

function generated(): Job[] {
  const files = [...new Set(globSync(TARGETS, { cwd: root }))].filter(isWanted).sort();
  const all = files.flatMap((file) => mutantsOf(sourceOf(file)).map((mutant) => ({ ...mutant, file })));
  if (!options.sample) return all;
  const sample = seededRandom(Number(options.seed)).shuffle(all).slice(0, Number(options.sample));
  return sample.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function generatedGroups(): Group[] {
  const relatedTests = createRelatedTests(root);
  return [...Map.groupBy(generated(), ({ file }) => file)].map(([name, jobs]) => {
    const related = relatedTests(name);
    return { name, tests: options.unit ? { ...related, integration: [] } : related, jobs };
  });
}

function knownGroups(): Group[] {
  const wanted = KNOWN_MISTAKES.filter(({ file, unit }) => isWanted(file) && (unit || !options.unit));
  const alike = Map.groupBy(wanted, ({ unit, integration }) => unit ?? integration ?? "");
  return [...alike].flatMap(([name, mistakes]) =>
    mistakes.slice(0, 1).map((first) => ({ name, tests: testsOf(first), jobs: mistakes.map(knownJob) })),
  );
}

function knownJob(mistake: KnownMistake): Job {
  const { what, file, from } = mistake;
  const before = sourceOf(file);
  const line = before.slice(0, before.indexOf(from)).split("\n").length;
  return { file, line, text: what, source: edited(before, mistake) };
}

/** How long the tests may take with a mistake; fails when they do not pass without one. Null: there are none. */
async function patienceFor({ path }: CheckoutCopy, { name, tests }: Group): Promise<number | null> {
  if (tests.unit.length + tests.integration.length === 0) return null;
  const startedAt = performance.now();
  const outcome = await runTests(path, tests, MAX_BASE_MS);
  if (outcome !== "passed") throw new Error(`The tests of ${name} ${outcome} without any mistake.`);
  return PATIENCE.factor * (performance.now() - startedAt) + PATIENCE.moreMs;
}

/** One group after the other, each wholly in one copy. */
async function work(copy: CheckoutCopy, line: Group[], judged: Judged[]): Promise<void> {
  for (let group = line.shift(); group; group = line.shift()) {
    const { name, tests, jobs } = group;
    const withinMs = await patienceFor(copy, group);
    const ofGroup: Judged[] = [];
    for (const job of jobs) {
      copy.write(job.file, job.source);
      const outcome = withinMs === null ? "no test" : await runTests(copy.path, tests, withinMs);
      ofGroup.push({ ...job, ...explanationOf(job), outcome });
      copy.write(job.file, sourceOf(job.file));
    }
    judged.push(...ofGroup);
    say(`${name}: ${jobs.length} mistakes, ${ofGroup.filter(survives).length} not noticed`);
  }
}

function explanationOf(job: Job): { reason?: string } {
  const found = EXPLAINED.find(({ file, text }) => file === job.file && text === job.text);
  return found ? { reason: found.reason } : {};
}

const survives = ({ outcome, reason }: Judged) => (outcome === "passed" || outcome === "no test") && !reason;
const isExplained = ({ outcome, reason }: Judged) => outcome === "passed" && reason !== undefined;

function report(judged: readonly Judged[]): void {
  const survivors = judged.filter(survives);
  const counts = {
    mistakes: judged.length,
    noticed: judged.filter(({ outcome }) => outcome === "failed").length,
    timedOut: judged.filter(({ outcome }) => outcome === "timed out").length,
    explained: judged.filter(isExplained).length,
    survived: survivors.length,
    "survived %": Math.round((1_000 * survivors.length) / Math.max(1, judged.length)) / 10,
  };
  say("");
  for (const { file, line, text, outcome } of survivors)
    say(`${file}:${line}  ${text}${outcome === "no test" ? "  (no test)" : ""}`);
  console.table([counts]);
  const rows = judged.map(({ source: _, ...rest }) => rest);
  writeFileSync(options.json, JSON.stringify({ seed: Number(options.seed), counts, mutants: rows }, null, 2));
  say(`All of them: ${options.json}`);
}

const line = options.known ? knownGroups() : generatedGroups();
const count = line.reduce((sum, { jobs }) => sum + jobs.length, 0);
say(`${count} mistakes in ${line.length} groups, seed ${options.seed}`);
const copies = Array.from({ length: Number(options.jobs) }, () => copyCheckout(root));
process.on("exit", () => copies.forEach((copy) => void copy.remove()));
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));
const judged: Judged[] = [];
await Promise.all(copies.map((copy) => work(copy, line, judged)));
report(judged);
