/** Runs a workload and its floors by turns in the same run, so that both meet the same machine. */
import { type CpuMeter, createCpuCount } from "./cpu.ts";
import {
  type BenchPlan,
  type BenchSpec,
  DEFAULTS,
  type Floor,
  type Goal,
  type MissingFloor,
  type Workload,
} from "./spec.ts";
import { type Figures, figuresOf, median, type Spread, spreadOf } from "./stats.ts";
import { goalText, type Interval, medianInterval, type Verdict, verdictOf } from "./verdict.rules.ts";

export type Measured = Figures & {
  name: string;
  rounds: Figures[];
  /** Milliseconds of CPU that an operation cost each role: hardly other on a machine that others share. */
  cpuMs: Record<string, number>;
};
export type MeasuredFloor = Measured & {
  fairBecause: string;
  measure: Goal["measure"];
  /** Workload divided by floor, round by round. */
  ratio: Spread;
  interval: Interval | null;
  goal: string;
  verdict: Verdict | null;
};
export type BenchResult = {
  name: string;
  issue: number;
  concurrency: number;
  workload: Measured;
  floors: MeasuredFloor[];
  missing: readonly MissingFloor[];
};

type Progress = (line: string) => void;

export async function runRounds(
  spec: BenchSpec,
  plan: BenchPlan,
  progress: Progress,
  meter: CpuMeter = () => new Map(),
): Promise<BenchResult> {
  const { rounds, roundMs, concurrency } = { ...DEFAULTS, ...spec };
  const all: Workload[] = [plan.workload, ...plan.floors];
  const taken = new Map(all.map((one) => [one, { rounds: [] as Figures[], operations: 0 }]));
  const cpu = new Map(all.map((one) => [one, createCpuCount(meter)]));
  for (let round = 0; round <= rounds; round += 1) {
    // The other way round each time: what goes first finds another machine than what goes last.
    const order = round % 2 === 0 ? all : all.toReversed();
    for (const one of order) {
      const window = { round, durationMs: roundMs, concurrency };
      const [count, sum] = [cpu.get(one), taken.get(one)];
      if (round === 0 || !count || !sum) await one.run(window);
      else {
        const sample = await count.during(() => one.run(window));
        sum.operations += sample.count;
        sum.rounds.push(figuresOf(sample));
      }
    }
    progress(round === 0 ? "warm" : `${round}/${rounds}`);
  }
  const measured = (one: Workload): Measured => {
    const { rounds, operations } = taken.get(one) ?? { rounds: [], operations: 0 };
    return { ...summary(one.name, rounds), cpuMs: cpu.get(one)?.perOperation(operations) ?? {} };
  };
  const workload = measured(plan.workload);
  return {
    name: spec.name,
    issue: spec.issue,
    concurrency,
    workload,
    floors: plan.floors.map((floor) => beside(workload, floor, measured(floor))),
    missing: plan.missing ?? [],
  };
}

function summary(name: string, rounds: Figures[]): Omit<Measured, "cpuMs"> {
  const middle = (key: keyof Figures) => median(rounds.map((figures) => figures[key]));
  return { name, rate: middle("rate"), p50Ms: middle("p50Ms"), p99Ms: middle("p99Ms"), rounds };
}

const FIGURE = { rate: "rate", p50: "p50Ms", p99: "p99Ms" } as const;

function beside(workload: Measured, floor: Floor, measured: Measured): MeasuredFloor {
  const figure = FIGURE[floor.measure];
  const ratios = workload.rounds.map((own, index) => own[figure] / (measured.rounds[index]?.[figure] ?? 0));
  const interval = medianInterval(ratios);
  return {
    ...measured,
    fairBecause: floor.fairBecause,
    measure: floor.measure,
    ratio: spreadOf(ratios),
    interval,
    goal: goalText(floor),
    verdict: verdictOf(floor, interval),
  };
}
