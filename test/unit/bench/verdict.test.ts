import { describe, expect, test } from "@jest/globals";
import { ledgerOf, requireBalance } from "../../bench/frame/ledger.rules.ts";
import type { Goal } from "../../bench/frame/spec.ts";
import {
  goalText,
  medianInterval,
  pooledInterval,
  pooledRatio,
  verdictOf,
} from "../../bench/frame/verdict.rules.ts";

const oneTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("medianInterval", () => {
  // Ranks of the sign test for 90 %, as tables of it have them.
  test.each([
    [5, 1, 5],
    [7, 1, 7],
    [8, 2, 7],
    [9, 2, 8],
    [11, 3, 9],
    [20, 6, 15],
  ])("of %p rounds: from rank %p to rank %p", (count, low, high) => {
    expect(medianInterval(oneTo(count).toReversed())).toEqual({ low, high });
  });

  test.each([0, 1, 4])("of %p rounds: none, for too few cannot say it with that confidence", (count) => {
    expect(medianInterval(oneTo(count))).toBeNull();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("with a ratio of %p: none", (ratio) => {
    expect(medianInterval([1, 1, 1, 1, ratio])).toBeNull();
  });
});

describe("a pooled percentile", () => {
  const round = (slowest: number) => [...oneTo(199).map(() => 10), slowest];
  const even = oneTo(9).map(() => round(10));

  test("the ratio is of all samples: a slow one in half a per cent of them does not move the p99", () => {
    expect(pooledRatio([round(90), ...even], [round(10), ...even], 0.99)).toBe(1);
    expect(pooledRatio([round(90)], [round(10)], 1)).toBe(9);
  });

  test("the interval is that of drawn rounds: delays in a single round of nine make it wide", () => {
    const jammed = [...even.slice(1), oneTo(200).map(() => 30)];
    expect(pooledInterval(even, even, 0.99)).toEqual({ low: 1, high: 1 });
    expect(pooledInterval(jammed, even, 0.99)).toEqual({ low: 1, high: 3 });
  });

  test.each([
    ["four rounds", even.slice(5)],
    ["rounds without samples", even.map(() => [])],
  ])("%s: none", (_, rounds) => {
    expect(pooledInterval(rounds, rounds, 0.99)).toBeNull();
  });
});

describe("the ledger", () => {
  const published = new Map([
    ["a", 1],
    ["b", 2],
  ]);

  test("each published event arrived: balanced", () => {
    expect(requireBalance(ledgerOf(published, ["b", "a"]))).toEqual({
      published: 2,
      received: 2,
      missing: 0,
    });
  });

  test.each([
    ["an event that never arrived", ["a"], "2 published, 1 received, 1 missing"],
    ["an event that nobody published", ["a", "b", "c"], "2 published, 3 received, 0 missing"],
    ["both, which a count alone would not show", ["a", "c"], "2 published, 2 received, 1 missing"],
  ])("%s: the round is void", (_, arrived, text) => {
    expect(() => requireBalance(ledgerOf(published, arrived))).toThrow(`void: ${text}`);
  });
});

describe("verdictOf", () => {
  test.each([
    [0.9, 1.2, "passed"],
    [0.89, 1.2, "undecided"],
    [0.7, 0.9, "undecided"],
    [0.7, 0.89, "missed"],
  ])("a rate between %p and %p, at least 0.9 wanted: %p", (low, high, verdict) => {
    expect(verdictOf({ measure: "rate", atLeast: 0.9 }, { low, high })).toBe(verdict);
  });

  test.each([
    [1.1, 1.5, "passed"],
    [1.1, 1.51, "undecided"],
    [1.5, 1.9, "undecided"],
    [1.51, 1.9, "missed"],
  ])("a latency between %p and %p, at most 1.5 wanted: %p", (low, high, verdict) => {
    expect(verdictOf({ measure: "p99", atMost: 1.5 }, { low, high })).toBe(verdict);
  });

  test.each([
    [0.97, 1.03, "passed"],
    [0.96, 1.03, "undecided"],
    [0.97, 1.04, "undecided"],
    [0.9, 0.96, "missed"],
    [1.04, 1.1, "missed"],
  ])("a ratio between %p and %p, 0.97 to 1.03 wanted: %p", (low, high, verdict) => {
    expect(verdictOf({ measure: "cpu", atLeast: 0.97, atMost: 1.03 }, { low, high })).toBe(verdict);
  });

  test("without an interval: undecided", () => {
    expect(verdictOf({ measure: "rate", atLeast: 0.9 }, null)).toBe("undecided");
  });

  test.each<Goal["measure"]>(["rate", "p50"])("a %p without a bound: no verdict and no text", (measure) => {
    expect(verdictOf({ measure }, { low: 1, high: 1 })).toBeNull();
    expect(goalText({ measure })).toBe("");
  });

  test.each<[Goal, string]>([
    [{ measure: "rate", atLeast: 1 / 1.3 }, "≥ 0.77"],
    [{ measure: "p99", atMost: 1.3 }, "≤ 1.3"],
    [{ measure: "cpu", atLeast: 0.97, atMost: 1.03 }, "0.97–1.03"],
  ])("%j is shown as %p", (goal, text) => expect(goalText(goal)).toBe(text));
});
