/** What a benchmark says about itself. A *.bench.ts file exports one as `bench`. */
import type { BenchEnv } from "./env.ts";

/** One stretch of work. Round 0 warms up and is not counted. */
export type Window = { round: number; durationMs: number; concurrency: number };

export type Sample = { count: number; elapsedMs: number; latenciesMs: ArrayLike<number> };

export type Workload = { name: string; run(window: Window): Promise<Sample> };

export type Goal =
  | { measure: "rate"; against: string; atLeast: number }
  | { measure: "p50" | "p99"; against: string; atMost: number };

export type BenchPlan = {
  workload: Workload;
  /** The barest thing that does the same; none for a row that only prints. */
  floors: readonly Workload[];
  /** Processes and loads taken from the env are stopped without this. */
  teardown?(): Promise<void>;
};

export type BenchSpec = {
  name: string;
  /** The issue whose acceptance names this row. */
  issue: number;
  goals?: readonly Goal[];
  /** Part of the short form that runs when nothing is named. */
  isHotPath?: boolean;
  rounds?: number;
  roundMs?: number;
  concurrency?: number;
  setup(env: BenchEnv): Promise<BenchPlan>;
};

export const DEFAULTS = { rounds: 5, roundMs: 2_000, concurrency: 32 } as const;
