/**
 * npm run mutate: puts one small mistake at a time into rules, repositories, consumers and loops, runs the tests about
 * that place, and says which mistakes nobody noticed. No file of the checkout is written.
 * Options: --files <regular expression> (again for more), --sample <mistakes of a file that needs servers>, --seed <number>,
 * --jobs <files at once>, --unit (no suite with servers), --types (the compiler is asked
 * about those that no test noticed), --known (only the list in known-mistakes.ts), --json <file>.
 */
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../chaos/seeded-random.ts";
import globalSetup from "../support/servers/global-setup.ts";
import globalTeardown from "../support/servers/global-teardown.ts";
import { edited } from "../support/source-edit.rules.ts";
import { EXPLAINED } from "./explained.ts";
import { type Job, type Judged, judgeGroup } from "./judge-group.ts";
import { KNOWN_MISTAKES, type KnownMistake, testsOf } from "./known-mistakes.ts";
import { mutantsOf } from "./mutants.ts";
import { refusedByCompiler } from "./refused-by-compiler.ts";
import { createRelated } from "./related-tests.ts";
import { report, say, survives } from "./report.ts";

const root = join(import.meta.dirname, "../..");

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

const { values: options } = parseArgs({
  options: {
    files: { type: "string", multiple: true, default: [""] },
    sample: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    unit: { type: "boolean", default: false },
    known: { type: "boolean", default: false },
    types: { type: "boolean", default: false },
    json: { type: "string", default: join(tmpdir(), "pbo-mutation.json") },
  },
});

const related = createRelated(root);
const isWanted = (file: string): boolean => options.files.some((pattern) => new RegExp(pattern).test(file));
const sourceOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Every mistake of a file that unit tests judge, some of one that needs servers. */
function generated(file: string): Job[] {
  const { affected, unit, integration } = related(file);
  const all = mutantsOf(sourceOf(file)).map((mutant) => ({
    ...mutant,
    file,
    affected,
    ...explanationOf(file, mutant.text),
  }));
  const tests = { unit, integration: options.unit ? [] : integration };
  if (tests.integration.length === 0) return all.map((job) => ({ ...job, tests }));
  const random = seededRandom(Number(options.seed));
  return random
    .shuffle(all)
    .slice(0, Number(options.sample))
    .map((job) => ({ ...job, tests }));
}

function explanationOf(file: string, text: string): { reason?: string } {
  const found = EXPLAINED.find((each) => each.file === file && each.texts.includes(text));
  return found ? { reason: found.reason } : {};
}

function known(mistake: KnownMistake): Job {
  const { what, file, from } = mistake;
  const before = sourceOf(file);
  const line = before.slice(0, before.indexOf(from)).split("\n").length;
  const { affected } = related(file);
  return { file, line, text: what, source: edited(before, mistake), tests: testsOf(mistake), affected };
}

function wantedJobs(): Job[] {
  if (options.known)
    return KNOWN_MISTAKES.filter(({ file, unit }) => isWanted(file) && (unit || !options.unit)).map(known);
  return [...new Set(globSync(TARGETS, { cwd: root }))].filter(isWanted).sort().flatMap(generated);
}

const jobs = wantedJobs();
say(`${jobs.length} mistakes, seed ${options.seed}`);
const line = [
  ...Map.groupBy(jobs, ({ file, tests }) => [file, tests.unit, tests.integration].join(" ")).values(),
];
if (jobs.some(({ tests }) => tests.integration.length > 0)) await globalSetup();
const judged: Judged[] = [];
async function work(): Promise<void> {
  for (let group = line.shift(); group; group = line.shift())
    try {
      judged.push(...(await judgeGroup(group)));
    } catch (error) {
      // The other files are judged all the same.
      say(String(error));
      process.exitCode = 1;
    }
}
await Promise.all(Array.from({ length: Number(options.jobs) }, work));
await globalTeardown();
if (options.types)
  for (const job of await refusedByCompiler(root, judged.filter(survives)))
    job.outcome = "refused by the compiler";
report(judged, options);
