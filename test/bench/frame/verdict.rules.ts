/**
 * Pure: what the rounds of a row say about its goal. The interval is the sign test's: with 90 % confidence it holds the
 * true median, whatever the shape of the noise, so a goal inside it could go either way and is called undecided.
 */
import { seededRandom } from "../../chaos/seeded-random.ts";
import type { Goal } from "./spec.ts";
import { percentile } from "./stats.ts";

export type Verdict = "passed" | "missed" | "undecided";
export type Interval = { low: number; high: number };

const CONFIDENCE = 0.9;
const DRAWS = 500;
/** With fewer rounds than this even the sign test has no interval. */
const LEAST_ROUNDS = 5;

/** The narrowest pair of ranks, counted from both ends, that is sure enough; null when even least and greatest are not. */
export function medianInterval(values: readonly number[]): Interval | null {
  if (!values.every(Number.isFinite)) return null;
  const ranked = values.toSorted((a, b) => a - b);
  const count = ranked.length;
  let interval: Interval | null = null;
  /** How probable it is that fewer than `rank` of the values lie on one side of the true median. */
  let outside = 0;
  let ways = 1;
  for (let rank = 1; 2 * rank <= count; rank += 1) {
    outside += ways / 2 ** count;
    if (1 - 2 * outside < CONFIDENCE) break;
    interval = { low: ranked[rank - 1] as number, high: ranked[count - rank] as number };
    ways = (ways * (count - rank + 1)) / rank;
  }
  return interval;
}

/** Latencies of each round, of both sides. */
type Rounds = readonly ArrayLike<number>[];

/** The ratio of a percentile over all rounds together. */
export function pooledRatio(ours: Rounds, theirs: Rounds, share: number): number {
  return percentile(sorted(ours), share) / percentile(sorted(theirs), share);
}

function sorted(rounds: Rounds): Float64Array {
  const all = new Float64Array(rounds.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const round of rounds) {
    all.set(round, filled);
    filled += round.length;
  }
  return all.sort();
}

/** The bootstrap's interval. Whole rounds are drawn, both sides of each, because delays within a round go together. */
export function pooledInterval(ours: Rounds, theirs: Rounds, share: number): Interval | null {
  if (ours.length < LEAST_ROUNDS) return null;
  const random = seededRandom(1);
  const drawn = Array.from({ length: DRAWS }, () => {
    const picks = ours.map(() => random.between(0, ours.length - 1));
    const sideOf = (rounds: Rounds) => picks.map((pick) => rounds[pick] ?? []);
    return pooledRatio(sideOf(ours), sideOf(theirs), share);
  });
  if (!drawn.every(Number.isFinite)) return null;
  drawn.sort((a, b) => a - b);
  const outside = (1 - CONFIDENCE) / 2;
  return { low: percentile(drawn, outside), high: percentile(drawn, 1 - outside) };
}

/** Null without a bound: the row only prints. */
export function verdictOf(goal: Goal, interval: Interval | null): Verdict | null {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  if (goal.atLeast === undefined && goal.atMost === undefined) return null;
  if (!interval) return "undecided";
  const { low, high } = interval;
  if (low >= atLeast && high <= atMost) return "passed";
  return high < atLeast || low > atMost ? "missed" : "undecided";
}

export function goalText({ atLeast, atMost }: Goal): string {
  const short = (bound: number) => String(Number(bound.toFixed(2)));
  if (atLeast !== undefined && atMost !== undefined) return `${short(atLeast)}–${short(atMost)}`;
  if (atLeast !== undefined) return `≥ ${short(atLeast)}`;
  return atMost === undefined ? "" : `≤ ${short(atMost)}`;
}
