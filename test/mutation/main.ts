/**
 * npm run mutate: puts one small mistake at a time into the code, runs the tests of that file, and lists the mistakes
 * that no test noticed. Some of these change nothing that a caller could notice. No file of the checkout is written.
 * Options: --sample-total <mistakes, drawn from all of the guarded files>, --known (mistakes that once survived),
 * --again <json> (those that survived in an earlier report), --files <regular expression> (again for more), --sample <mistakes of a file that needs servers>, --seed <number>,
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
import { knownJobs } from "./known.ts";
import { mutantsOf } from "./mutants.ts";
import { refusedByTypes } from "./refused-by-types.ts";
import { createRelated } from "./related-tests.ts";
import { report, say, survives } from "./report.ts";
import { GUARDED, TARGETS } from "./targets.ts";

const root = join(import.meta.dirname, "../..");

const { values: options } = parseArgs({
  options: {
    "sample-total": { type: "string" },
    again: { type: "string" },
    known: { type: "boolean", default: false },
    files: { type: "string", multiple: true, default: [""] },
    sample: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    unit: { type: "boolean", default: false },
    json: { type: "string", default: join(tmpdir(), "pbo-mutation.json") },
  },
});

const related = createRelated(root);
const { shuffle } = seededRandom(Number(options.seed));
const isWanted = (file: string): boolean => options.files.some((pattern) => new RegExp(pattern).test(file));
const filesOf = (patterns: readonly string[]): string[] =>
  [...new Set(globSync([...patterns], { cwd: root }))].filter(isWanted).sort();

function mistakesOf(file: string): Job[] {
  const tests = related(file);
  const asked = { unit: tests.unit, integration: options.unit ? [] : tests.integration };
  return mutantsOf(readFileSync(join(root, file), "utf8")).map((mutant) => ({
    ...mutant,
    file,
    tests: asked,
  }));
}

/** Every mistake of a file that unit tests judge, some of a file that needs servers. */
function someOf(file: string): Job[] {
  const all = mistakesOf(file);
  const needsServers = all.some(({ tests }) => tests.integration.length > 0);
  return needsServers ? shuffle(all).slice(0, Number(options.sample)) : all;
}

const keyOf = ({ file, place, operator, text }: Pick<Job, "file" | "place" | "operator" | "text">): string =>
  [file, place, operator, text].join(" ");

function survivorsOf(json: string): Job[] {
  const { mistakes }: { mistakes: Judged[] } = JSON.parse(readFileSync(json, "utf8"));
  const keys = new Set(mistakes.filter(survives).map(keyOf));
  return filesOf(TARGETS)
    .flatMap(mistakesOf)
    .filter((job) => keys.has(keyOf(job)));
}

function chosenJobs(): Job[] {
  const total = options["sample-total"];
  if (options.known) return knownJobs(root).filter(({ file }) => isWanted(file));
  if (options.again !== undefined) return survivorsOf(options.again);
  if (total === undefined) return filesOf(TARGETS).flatMap(someOf);
  const all = filesOf(GUARDED).flatMap(mistakesOf);
  say(`${total} of ${all.length} mistakes in the guarded files`);
  return shuffle(all).slice(0, Number(total));
}

const jobs = chosenJobs();
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
const refused = await refusedByTypes(root, judged.filter(survives));
report(
  judged.map((one) => (refused.has(one) ? { ...one, outcome: "refused" } : one)),
  options,
);
