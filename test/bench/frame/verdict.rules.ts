/**
 * Pure: what the rounds of a row say about its goal. The interval is the sign test's: with 90 % confidence it holds the
 * true median, whatever the shape of the noise, so a goal inside it could go either way and is called undecided.
 */
import type { Goal } from "./spec.ts";

export type Verdict = "passed" | "missed" | "undecided";
export type Interval = { low: number; high: number };

const CONFIDENCE = 0.9;

/** The narrowest pair of ranks, counted from both ends, that is sure enough; null when even least and greatest are not. */
export function medianInterval(values: readonly number[]): Interval | null {
  if (!values.every(Number.isFinite)) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let interval: Interval | null = null;
  /** How probable it is that fewer than `rank` of the values lie on one side of the true median. */
  let outside = 0;
  let ways = 1;
  for (let rank = 1; 2 * rank <= count; rank += 1) {
    outside += ways / 2 ** count;
    if (1 - 2 * outside < CONFIDENCE) break;
    interval = { low: sorted[rank - 1] as number, high: sorted[count - rank] as number };
    ways = (ways * (count - rank + 1)) / rank;
  }
  return interval;
}

/** Null without a bound: the row only prints. */
export function verdictOf(goal: Goal, interval: Interval | null): Verdict | null {
  const bound = boundOf(goal);
  if (bound === undefined) return null;
  if (!interval) return "undecided";
  const { low, high } = interval;
  if (goal.measure === "rate") return low >= bound ? "passed" : high < bound ? "missed" : "undecided";
  return high <= bound ? "passed" : low > bound ? "missed" : "undecided";
}

export function goalText(goal: Goal): string {
  const bound = boundOf(goal);
  return bound === undefined ? "" : `${goal.measure === "rate" ? "≥" : "≤"} ${Number(bound.toFixed(2))}`;
}

const boundOf = (goal: Goal): number | undefined => (goal.measure === "rate" ? goal.atLeast : goal.atMost);
