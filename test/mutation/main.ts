/**
 * npm run mutate: puts one small mistake at a time into rules, repositories, consumers and loops, runs the tests about
 * that place in a copy of the checkout, and says which mistakes no test noticed.
 * Options: --files <part of a path> (again for more), --sample <mutants>, --seed <number>, --jobs <copies>,
 * --unit (no suite with servers), --json <file>.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../chaos/seeded-random.ts";
import { type CheckoutCopy, copyCheckout, type Outcome } from "./checkout-copy.ts";
import { EXPLAINED } from "./explained.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { createRelatedTests, type RelatedTests } from "./related-tests.ts";

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
type Base = { tests: RelatedTests; withinMs: number };

const { values: options } = parseArgs({
  options: {
    files: { type: "string", multiple: true, default: [""] },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    unit: { type: "boolean", default: false },
    json: { type: "string", default: join(tmpdir(), "pbo-mutation.json") },
  },
});

function wantedJobs(): Job[] {
  const files = [...new Set(globSync(TARGETS, { cwd: root }))].sort();
  const wanted = files.filter((file) => options.files.some((part) => file.includes(part)));
  const all = wanted.flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), "utf8")).map((mutant) => ({ ...mutant, file })),
  );
  if (!options.sample) return all;
  const sample = seededRandom(Number(options.seed)).shuffle(all).slice(0, Number(options.sample));
  return sample.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

const relatedTests = createRelatedTests(root);

/** What the tests of a file need without any mistake; fails when they do not pass. */
async function baseOf(copy: CheckoutCopy, file: string): Promise<Base | null> {
  const related = relatedTests(file);
  const tests = options.unit ? { ...related, integration: [] } : related;
  if (tests.unit.length + tests.integration.length === 0) return null;
  const startedAt = performance.now();
  const outcome = await copy.test(tests, MAX_BASE_MS);
  if (outcome !== "passed") throw new Error(`The tests of ${file} ${outcome} without any mistake.`);
  return { tests, withinMs: PATIENCE.factor * (performance.now() - startedAt) + PATIENCE.moreMs };
}

async function judge(copy: CheckoutCopy, job: Job, base: Base | null): Promise<Judged> {
  const { reason } = EXPLAINED.find(({ file, text }) => file === job.file && text === job.text) ?? {};
  const explained = reason === undefined ? {} : { reason };
  if (!base) return { ...job, ...explained, outcome: "no test" };
  copy.write(job.file, job.source);
  return { ...job, ...explained, outcome: await copy.test(base.tests, base.withinMs) };
}

/** One file after the other, each wholly in one copy. */
async function work(copy: CheckoutCopy, line: [string, Job[]][], judged: Judged[]): Promise<void> {
  for (let next = line.shift(); next; next = line.shift()) {
    const [file, jobs] = next;
    const base = await baseOf(copy, file);
    for (const job of jobs) judged.push(await judge(copy, job, base));
    copy.write(file, readFileSync(join(root, file), "utf8"));
    const survivors = judged.filter((each) => each.file === file && survives(each)).length;
    say(`${file}: ${jobs.length} mistakes, ${survivors} not noticed`);
  }
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

const jobs = wantedJobs();
const line = [...Map.groupBy(jobs, ({ file }) => file)];
say(`${jobs.length} mistakes in ${line.length} files, seed ${options.seed}`);
const copies = Array.from({ length: Number(options.jobs) }, () => copyCheckout(root));
process.on("exit", () => copies.forEach((copy) => void copy.remove()));
process.on("SIGINT", () => process.exit(130));
const judged: Judged[] = [];
await Promise.all(copies.map((copy) => work(copy, line, judged)));
report(judged);
