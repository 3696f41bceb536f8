/** Judges the mistakes of one file, one after the other, by the tests of that file. */
import { createJudge, type Judge, type Outcome, type Question } from "./judge-process.ts";
import type { Mutant } from "./mutants.ts";
import type { Related, RelatedTests } from "./related-tests.ts";
import { say, survives } from "./report.ts";

export type Job = Mutant & {
  file: string;
  tests: RelatedTests;
  affected: Related["affected"];
};
export type Judged = Job & { outcome: Outcome | "no test" };

type Project = keyof RelatedTests;

/** A mistake may make a test wait. The limit is a multiple of the usual time, and this much more. */
const PATIENCE = { factor: 4, moreMs: { unit: 8_000, integration: 20_000 } };
const MAX_BASE_MS = 300_000;
const PROJECTS = ["unit", "integration"] as const;

export async function judgeGroup(jobs: readonly Job[]): Promise<Judged[]> {
  const [first] = jobs;
  if (!first) return [];
  const judges = { unit: createJudge(), integration: createJudge() };
  try {
    let judged = await judgeAll(jobs, judges, false);
    // Leftovers of a failed test must not make the next mistake look noticed.
    if (!(await passes(judges.unit, "unit", first))) judged = await judgeAll(jobs, judges, true);
    const survivors = judged.filter(survives);
    say(`${first.file}: ${jobs.length} mistakes, ${survivors.length} not noticed`);
    for (const { line, text } of survivors) say(`  ${line}  ${text}`);
    return judged;
  } finally {
    for (const judge of Object.values(judges)) judge.renew();
  }
}

async function judgeAll(
  jobs: readonly Job[],
  judges: Record<Project, Judge>,
  isAlwaysNew: boolean,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  const patience = { unit: 0, integration: 0 };
  for (const project of PROJECTS)
    if (jobs[0]) patience[project] = await patienceFor(judges[project], project, jobs[0]);
  for (const job of jobs) {
    let outcome: Judged["outcome"] = "no test";
    for (const project of PROJECTS) {
      if (job.tests[project].length === 0 || (outcome !== "no test" && outcome !== "passed")) continue;
      outcome = await judges[project].ask(questionOf(project, job, job.source), patience[project]);
      if (outcome !== "passed" && (isAlwaysNew || project === "integration")) judges[project].renew();
    }
    judged.push({ ...job, outcome });
  }
  return judged;
}

/** The time limit of the tests with a mistake. Throws when they do not pass without one. */
async function patienceFor(judge: Judge, project: Project, job: Job): Promise<number> {
  judge.renew();
  const startedAt = performance.now();
  if (!(await passes(judge, project, job)))
    throw new Error(`The ${project} tests of ${job.file} fail without any mistake.`);
  return PATIENCE.factor * (performance.now() - startedAt) + PATIENCE.moreMs[project];
}

async function passes(judge: Judge, project: Project, job: Job): Promise<boolean> {
  if (job.tests[project].length === 0) return true;
  return (await judge.ask(questionOf(project, job, null), MAX_BASE_MS)) === "passed";
}

const questionOf = (project: Project, { tests, file, affected }: Job, source: string | null): Question => ({
  tests: tests[project],
  file,
  source,
  affected,
});
