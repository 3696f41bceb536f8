/** The facts and the work of a benchmark. A *.bench.ts file exports them as `bench`. */
import type { BenchEnv } from "./env.ts";

/** A stretch of work. Round 0 warms up and is not counted. */
export type Window = { round: number; durationMs: number; concurrency: number };

export type Sample = { count: number; elapsedMs: number; latenciesMs: ArrayLike<number> };

export type Workload = { name: string; run(window: Window): Promise<Sample> };

/** The figure that is compared, as workload divided by floor, and its bound; without a bound a row only prints. */
export type Goal = { measure: "rate"; atLeast?: number } | { measure: "p50" | "p99"; atMost?: number };

export type FloorFacts = Goal & {
  name: string;
  /** A sentence: the work that both sides do, and the work that the floor leaves out. */
  fairBecause: string;
};
/** The barest thing that does the same work, or a peer that does the same job. */
export type Floor = FloorFacts & Workload;

/** A floor that this machine cannot run, and why. */
export type MissingFloor = { name: string; because: string };

export type BenchPlan = {
  workload: Workload;
  floors: readonly [Floor, ...Floor[]];
  missing?: readonly MissingFloor[];
};

export type BenchSpec = {
  name: string;
  /** The issue whose acceptance names this row. */
  issue: number;
  /** Part of the short form and of `compare`; the figure by which two versions of it are compared. */
  hotPath?: Goal["measure"];
  rounds?: number;
  roundMs?: number;
  concurrency?: number;
  setup(env: BenchEnv): Promise<BenchPlan>;
};

export const DEFAULTS = { rounds: 5, roundMs: 2_000, concurrency: 32 } as const;
