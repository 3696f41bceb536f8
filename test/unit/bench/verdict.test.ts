import { describe, expect, test } from "@jest/globals";
import type { Goal } from "../../bench/frame/spec.ts";
import { goalText, medianInterval, verdictOf } from "../../bench/frame/verdict.rules.ts";

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
  ])("%j is shown as %p", (goal, text) => expect(goalText(goal)).toBe(text));
});
