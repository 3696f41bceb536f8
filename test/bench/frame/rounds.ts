/** Runs a workload and its floors by turns in the same run, so that both meet the same machine. */
import { type CpuMeter, createCpuCount } from "./cpu.ts";
import { type Ledger, sumOf } from "./ledger.rules.ts";
import {
  type BenchPlan,
  type BenchSpec,
  DEFAULTS,
  type Goal,
  type MissingFloor,
  type Sample,
  type Workload,
} from "./spec.ts";
import { type Figures, figuresOf, median, type Spread, spreadOf } from "./stats.ts";
import {
  goalText,
  type Interval,
  medianInterval,
  pooledInterval,
  pooledRatio,
  type Verdict,
  verdictOf,
} from "./verdict.rules.ts";

export type Measured = Omit<Figures, "cpuMs"> & {
  name: string;
  rounds: Figures[];
  /** Milliseconds of CPU that an operation cost each role: hardly other on a machine that others share. */
  cpuMs: Record<string, number>;
  /** Only of rows that count events from their source to the receiver. */
  ledger: Ledger | null;
};
export type Comparison = {
  measure: string;
  /** Workload divided by floor, round by round; pooled, the ratio of all rounds instead of their median. */
  ratio: Spread;
  interval: Interval | null;
  goal: string;
  verdict: Verdict | null;
};
type MeasuredFloor = Measured & { fairBecause: string; compared: Comparison[] };
export type BenchResult = {
  name: string;
  issue: number;
  concurrency: number;
  workload: Measured;
  floors: MeasuredFloor[];
  missing: readonly MissingFloor[];
};

type Progress = (line: string) => void;
/** The workload or a floor, in the rounds so far. */
type Side = { samples: Sample[]; figures: Figures[]; cpu: ReturnType<typeof createCpuCount> };

export async function runRounds(
  spec: BenchSpec,
  plan: BenchPlan,
  progress: Progress,
  meter: CpuMeter = () => new Map(),
): Promise<BenchResult> {
  const { rounds, roundMs, concurrency } = { ...DEFAULTS, ...spec };
  const all: Workload[] = [plan.workload, ...plan.floors];
  const newSide = (): Side => ({ samples: [], figures: [], cpu: createCpuCount(meter) });
  const sides = new Map(all.map((one) => [one, newSide()]));
  for (let round = 0; round <= rounds; round += 1) {
    // The other way round each time: what goes first finds another machine than what goes last.
    const order = round % 2 === 0 ? all : all.toReversed();
    for (const one of order) {
      const window = { round, durationMs: roundMs, concurrency };
      const side = sides.get(one) as Side;
      if (round === 0) await one.run(window);
      else {
        const [sample, used] = await side.cpu.during(() => one.run(window));
        const cpuMs = (one.cpuOf ?? []).reduce((sum, role) => sum + (used.get(role) ?? 0), 0);
        side.samples.push(sample);
        side.figures.push(figuresOf(sample, cpuMs));
      }
    }
    progress(round === 0 ? "warm" : `${round}/${rounds}`);
  }
  const own = sides.get(plan.workload) as Side;
  return {
    name: spec.name,
    issue: spec.issue,
    concurrency,
    workload: measured(plan.workload.name, own),
    floors: plan.floors.map((floor) => {
      const side = sides.get(floor) as Side;
      const compared = floor.goals.map((goal) => compare(goal, own, side));
      return { ...measured(floor.name, side), fairBecause: floor.fairBecause, compared };
    }),
    missing: plan.missing ?? [],
  };
}

function measured(name: string, { samples, figures, cpu }: Side): Measured {
  const middle = (key: keyof Figures) => median(figures.map((one) => one[key]));
  const operations = samples.reduce((sum, { count }) => sum + count, 0);
  const ledgers = samples.flatMap(({ ledger }) => ledger ?? []);
  return {
    name,
    rate: middle("rate"),
    p50Ms: middle("p50Ms"),
    p99Ms: middle("p99Ms"),
    rounds: figures,
    cpuMs: cpu.perOperation(operations),
    ledger: ledgers.length > 0 ? sumOf(ledgers) : null,
  };
}

const FIGURE = { rate: "rate", p50: "p50Ms", p99: "p99Ms", cpu: "cpuMs" } as const;
const SHARE = { p50: 0.5, p99: 0.99 } as const;

function compare(goal: Goal, own: Side, floor: Side): Comparison {
  const { measure, pooled } = goal;
  const figure = FIGURE[measure];
  const ratios = own.figures.map((one, index) => one[figure] / (floor.figures[index]?.[figure] ?? 0));
  const spread = spreadOf(ratios);
  const judged = (ratio: Spread, interval: Interval | null, name: string): Comparison => ({
    measure: name,
    ratio,
    interval,
    goal: goalText(goal),
    verdict: verdictOf(goal, interval),
  });
  if (!pooled || measure === "rate" || measure === "cpu")
    return judged(spread, medianInterval(ratios), measure);
  const [ours, theirs] = [own, floor].map(({ samples }) => samples.map(({ latenciesMs }) => latenciesMs));
  const sides = [ours ?? [], theirs ?? [], SHARE[measure]] as const;
  return judged({ ...spread, median: pooledRatio(...sides) }, pooledInterval(...sides), `${measure} of all`);
}
