/**
 * npm run mutate: puts one small mistake at a time into rules, repositories, consumers and loops, runs the tests of
 * that file, and lists the mistakes that no test noticed. Some of these change nothing that a caller could notice.
 * No file of the checkout is written.
 * Options: --files <regular expression> (again for more), --sample <mistakes of a file that needs servers>, --seed <number>,
 * --jobs <files at once>, --unit (no suite with servers), --json <file>.
 */
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../chaos/seeded-random.ts";
import globalSetup from "../support/servers/global-setup.ts";
import globalTeardown from "../support/servers/global-teardown.ts";
import { type Job, type Judged, judgeGroup } from "./judge-group.ts";
import { mutantsOf } from "./mutants.ts";
import { createRelated } from "./related-tests.ts";
import { report, say } from "./report.ts";

const root = join(import.meta.dirname, "../..");

const TARGETS = [
  "{services,gateway,shared}/**/*.{rules,repository,consumer}.ts",
  "services/delivery/due/*.ts",
  "services/delivery/{attempt,intake,replay}/{attempt-task,run-attempts,update-store}.ts",
  "services/delivery/intake/{schedule-deliveries,confirm-events}.ts",
  "services/delivery/replay/{run-replay-jobs,replay-chunk}.ts",
  "services/delivery/endpoint/{endpoint-queues,endpoint-directory,health-reporter}.ts",
  "services/document/{sweep,reconcile-document}.ts",
  "services/webhook-registry/sweep.ts",
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
    json: { type: "string", default: join(tmpdir(), "pbo-mutation.json") },
  },
});

const related = createRelated(root);
const isWanted = (file: string): boolean => options.files.some((pattern) => new RegExp(pattern).test(file));
const sourceOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Every mistake of a file that unit tests judge, some of one that needs servers. */
function generated(file: string): Job[] {
  const { affected, unit, integration } = related(file);
  const all = mutantsOf(sourceOf(file)).map((mutant) => ({ ...mutant, file, affected }));
  const tests = { unit, integration: options.unit ? [] : integration };
  if (tests.integration.length === 0) return all.map((job) => ({ ...job, tests }));
  const random = seededRandom(Number(options.seed));
  return random
    .shuffle(all)
    .slice(0, Number(options.sample))
    .map((job) => ({ ...job, tests }));
}

const jobs = [...new Set(globSync(TARGETS, { cwd: root }))].filter(isWanted).sort().flatMap(generated);
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
report(judged, options);
