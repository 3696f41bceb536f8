/** Runs a workload and its floors by turns in the same run, so that both meet the same machine. */
import { type BenchPlan, type BenchSpec, DEFAULTS, type Goal, type Workload } from "./spec.ts";
import { type Figures, figuresOf, median, type Spread, spreadOf } from "./stats.ts";

export type Measured = Figures & { name: string; rounds: Figures[] };
export type Comparison = {
  against: string;
  measure: Goal["measure"];
  ratio: Spread;
  goal: string | null;
  met: boolean | null;
};
export type BenchResult = {
  name: string;
  issue: number;
  concurrency: number;
  workload: Measured;
  floors: Measured[];
  comparisons: Comparison[];
};

type Progress = (line: string) => void;

export async function runRounds(spec: BenchSpec, plan: BenchPlan, progress: Progress): Promise<BenchResult> {
  const { rounds, roundMs, concurrency } = { ...DEFAULTS, ...spec };
  const all = [plan.workload, ...plan.floors];
  const taken = new Map<Workload, Figures[]>(all.map((one) => [one, []]));
  for (let round = 0; round <= rounds; round += 1) {
    // The other way round each time: what goes first finds another machine than what goes last.
    const order = round % 2 === 0 ? all : all.toReversed();
    for (const one of order) {
      const figures = figuresOf(await one.run({ round, durationMs: roundMs, concurrency }));
      if (round > 0) taken.get(one)?.push(figures);
    }
    progress(round === 0 ? "warm" : `${round}/${rounds}`);
  }
  const measured = (one: Workload) => summary(one.name, taken.get(one) ?? []);
  const workload = measured(plan.workload);
  const floors = plan.floors.map(measured);
  return {
    name: spec.name,
    issue: spec.issue,
    concurrency,
    workload,
    floors,
    comparisons: compare(workload, floors, spec.goals ?? []),
  };
}

function summary(name: string, rounds: Figures[]): Measured {
  const middle = (key: keyof Figures) => median(rounds.map((figures) => figures[key]));
  return { name, rate: middle("rate"), p50Ms: middle("p50Ms"), p99Ms: middle("p99Ms"), rounds };
}

const FIGURE = { rate: "rate", p50: "p50Ms", p99: "p99Ms" } as const;

/** Every floor's rate, and whatever a goal names beside it. */
function compare(workload: Measured, floors: readonly Measured[], goals: readonly Goal[]): Comparison[] {
  const rates = floors.map((floor) => ({ floor, measure: "rate" as const }));
  const named = goals.map((goal) => ({ floor: floorOf(floors, goal.against), measure: goal.measure }));
  const others = named.filter(({ measure }) => measure !== "rate");
  return [...rates, ...others].map(({ floor, measure }) => {
    const ratio = spreadOf(
      workload.rounds.map(
        (own, index) => own[FIGURE[measure]] / (floor.rounds[index]?.[FIGURE[measure]] ?? 0),
      ),
    );
    const goal = goals.find((one) => one.against === floor.name && one.measure === measure);
    return { against: floor.name, measure, ratio, ...verdict(goal, ratio.median) };
  });
}

function verdict(goal: Goal | undefined, ratio: number): Pick<Comparison, "goal" | "met"> {
  if (!goal) return { goal: null, met: null };
  return "atLeast" in goal
    ? { goal: `≥ ${goal.atLeast}`, met: ratio >= goal.atLeast }
    : { goal: `≤ ${goal.atMost}`, met: ratio <= goal.atMost };
}

function floorOf(floors: readonly Measured[], name: string): Measured {
  const floor = floors.find((one) => one.name === name);
  if (!floor) throw new Error(`A goal names the floor "${name}", which does not exist.`);
  return floor;
}
