import { describe, expect, test } from "@jest/globals";
import { growthOf } from "../../bench/soak/memory.rules.ts";

describe("growthOf", () => {
  const MINUTES = 10;
  const looks = (mibAt: (share: number, index: number) => number) =>
    Array.from({ length: 120 }, (_, index) => mibAt(index / 119, index));
  /** As a collector makes it: up, and down at once. */
  const sawtooth = (index: number) => (index % 7) * 4;

  test.each([
    ["the same all the time", looks(() => 150), "passed"],
    ["up and down by a sixth", looks((_, index) => 150 + sawtooth(index)), "passed"],
    ["grown into its work in the first half", looks((share) => Math.min(150, 60 + 200 * share)), "passed"],
    ["smaller at the end", looks((share) => 200 - 50 * share), "passed"],
    ["a third more at the end", looks((share) => 150 + 50 * share), "missed"],
    ["the same beside a collector", looks((share, index) => 150 + 80 * share + sawtooth(index)), "missed"],
    ["a small one that doubles", looks((share) => 20 + 20 * share), "missed"],
    ["larger for a while, now and then", looks((_, index) => (index % 18 < 6 ? 180 : 150)), "undecided"],
    ["too few looks to say", [150, 150, 150], "undecided"],
  ])("%s", (_, mib, verdict) => {
    expect(growthOf(mib, MINUTES).verdict).toBe(verdict);
  });

  test("says how fast, with its spread", () => {
    const { slope, between } = growthOf(
      looks((share) => 150 + 50 * share),
      MINUTES,
    );
    expect(slope).toBeCloseTo(5, 0);
    expect(between?.low).toBeLessThanOrEqual(slope);
    expect(between?.high).toBeGreaterThanOrEqual(slope);
  });
});
