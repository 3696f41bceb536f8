/** The figures of one round, and of several rounds together. */
import type { Sample } from "./spec.ts";

/** `cpuMs`: of an operation, in the roles that do the work. */
export type Figures = { rate: number; p50Ms: number; p99Ms: number; cpuMs: number };

export function figuresOf({ count, elapsedMs, latenciesMs }: Sample, cpuMs = 0): Figures {
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    rate: (count / elapsedMs) * 1_000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: cpuMs / count,
  };
}

/** Nearest rank; of a sorted list. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

export type Spread = { median: number; min: number; max: number };

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});
