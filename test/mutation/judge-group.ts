/** Judges the mistakes of one file, one after the other, by the tests of that file. */
import { ask, type Outcome, type Question } from "./judge-process.ts";
import type { Mutant } from "./mutants.ts";
import type { RelatedTests } from "./related-tests.ts";
import { say, survives } from "./report.ts";

export type Job = Mutant & { file: string; tests: RelatedTests };
export type Judged = Job & { outcome: Outcome | "no test" | "refused" };

type Project = keyof RelatedTests;

/** A mistake may make a test wait. The limit is a multiple of the usual time, and this much more. */
const PATIENCE = { factor: 4, moreMs: { unit: 8_000, integration: 20_000 } };
const MAX_BASE_MS = 300_000;
const PROJECTS = ["unit", "integration"] as const;

export async function judgeGroup(jobs: readonly Job[]): Promise<Judged[]> {
  const [first] = jobs;
  if (!first) return [];
  const judged: Judged[] = [];
  for (const job of jobs) {
    let outcome: Judged["outcome"] = "no test";
    for (const project of PROJECTS)
      if (job.tests[project].length > 0 && (outcome === "no test" || outcome === "passed"))
        outcome = await ask(questionOf(project, job, job.source), await patienceFor(project, job));
    judged.push({ ...job, outcome });
  }
  const survivors = judged.filter(survives);
  say(`${first.file}: ${jobs.length} mistakes, ${survivors.length} not noticed`);
  for (const { line, place, operator, text } of survivors) say(`  ${line}  ${place} (${operator})  ${text}`);
  return judged;
}

const known = new Map<string, Promise<number>>();

/** The time limit of the tests with a mistake. Rejects when they do not pass without one. */
function patienceFor(project: Project, job: Job): Promise<number> {
  const key = job.tests[project].join(" ");
  const patience = known.get(key) ?? measured(project, job);
  known.set(key, patience);
  return patience;
}

async function measured(project: Project, job: Job): Promise<number> {
  const startedAt = performance.now();
  const outcome = await ask(questionOf(project, job, null), MAX_BASE_MS);
  if (outcome !== "passed")
    throw new Error(`The ${project} tests of ${job.file}: ${outcome} without any mistake.`);
  return PATIENCE.factor * (performance.now() - startedAt) + PATIENCE.moreMs[project];
}

const questionOf = (project: Project, { tests, file }: Job, source: string | null): Question => ({
  tests: tests[project],
  file,
  source,
});
