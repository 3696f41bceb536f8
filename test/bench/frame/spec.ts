/** The facts and the work of a benchmark. A *.bench.ts file exports them as `bench`. */
import type { BenchEnv } from "./env.ts";
import type { Ledger } from "./ledger.rules.ts";

/** A stretch of work. Round 0 warms up and is not counted. */
export type Window = { round: number; durationMs: number; concurrency: number };

export type Sample = { count: number; elapsedMs: number; latenciesMs: ArrayLike<number>; ledger?: Ledger };

export type Workload = {
  name: string;
  /** The roles that do this work, for a goal of CPU. */
  cpuOf?: readonly string[];
  run(window: Window): Promise<Sample>;
};

/**
 * A figure that is compared, as workload divided by floor, and its bounds; without a bound a row only prints. `cpu` is
 * milliseconds of an operation. `pooled`: the percentile of all rounds together, where a round has too few samples.
 */
export type Goal = {
  measure: "rate" | "p50" | "p99" | "cpu";
  atLeast?: number;
  atMost?: number;
  pooled?: boolean;
};

export type FloorFacts = {
  name: string;
  /** A sentence: the work that both sides do, and the work that the floor leaves out. */
  fairBecause: string;
  goals: readonly Goal[];
};
/** The barest thing that does the same work, or a peer that does the same job. */
export type Floor = FloorFacts & Workload;

/** A floor that this machine cannot run, and why. */
export type MissingFloor = { name: string; because: string };

export type BenchPlan = {
  workload: Workload;
  /** None where only the figures are wanted, or where the only one is missing. */
  floors: readonly Floor[];
  missing?: readonly MissingFloor[];
};

export type BenchSpec = {
  name: string;
  /** The issue whose acceptance names this row. */
  issue: number;
  /** Part of the short form and of `compare`; the figure by which two versions of it are compared. */
  hotPath?: "rate" | "p50";
  rounds?: number;
  roundMs?: number;
  concurrency?: number;
  setup(env: BenchEnv): Promise<BenchPlan>;
};

export const DEFAULTS = { rounds: 5, roundMs: 2_000, concurrency: 32 } as const;
