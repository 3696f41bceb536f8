import { describe, expect, test } from "@jest/globals";
import { runRounds } from "../../bench/frame/rounds.ts";
import type { BenchSpec, Workload } from "../../bench/frame/spec.ts";
import { figuresOf, percentile, spreadOf } from "../../bench/frame/stats.ts";
import { resultTable } from "../../bench/frame/table.ts";

describe("figures", () => {
  test("rate per second and nearest-rank percentiles", () => {
    const latenciesMs = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(figuresOf({ count: 500, elapsedMs: 2_000, latenciesMs })).toEqual({
      rate: 250,
      p50Ms: 50,
      p99Ms: 99,
    });
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test("a spread is median, least and greatest", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  });
});

/** Makes so many per second in each round; the first number is the warm-up. */
function workload(name: string, rates: number[], order: string[] = []): Workload {
  return {
    name,
    run: async ({ round }) => {
      order.push(`${round} ${name}`);
      return { count: rates[round] ?? 0, elapsedMs: 1_000, latenciesMs: [1_000 / (rates[round] ?? 1)] };
    },
  };
}

const spec = (goals: BenchSpec["goals"]): BenchSpec => ({
  name: "row",
  issue: 2,
  rounds: 3,
  ...(goals ? { goals } : {}),
  setup: async () => ({ workload: workload("ours", []), floors: [] }),
});

describe("runRounds", () => {
  test("runs workload and floor by turns, the other way round each time, and does not count the warm-up", async () => {
    const order: string[] = [];
    const plan = {
      workload: workload("ours", [9, 90, 80, 100], order),
      floors: [workload("bare", [1, 100, 100, 100], order)],
    };
    const result = await runRounds(spec([]), plan, () => undefined);
    expect(order).toEqual(["0 ours", "0 bare", "1 bare", "1 ours", "2 ours", "2 bare", "3 bare", "3 ours"]);
    expect(result.workload.rounds.map(({ rate }) => rate)).toEqual([90, 80, 100]);
    expect(result.comparisons).toMatchObject([
      { against: "bare", measure: "rate", ratio: { median: 0.9, min: 0.8, max: 1 } },
    ]);
  });

  test.each([
    [0.9, true],
    [0.91, false],
  ])("a goal of at least %p of the floor: met %p", async (atLeast, met) => {
    const plan = {
      workload: workload("ours", [1, 90, 80, 100]),
      floors: [workload("bare", [1, 100, 100, 100])],
    };
    const goals = [{ measure: "rate", against: "bare", atLeast }] as const;
    const result = await runRounds(spec(goals), plan, () => undefined);
    expect(result.comparisons).toMatchObject([{ goal: `≥ ${atLeast}`, met }]);
    expect(resultTable([result])).toContain(met ? "met" : "MISSED");
  });

  test("a goal for a latency: a line of its own", async () => {
    const plan = {
      workload: workload("ours", [1, 50, 50, 50]),
      floors: [workload("bare", [1, 100, 100, 100])],
    };
    const goals = [{ measure: "p99", against: "bare", atMost: 1.5 }] as const;
    const result = await runRounds(spec(goals), plan, () => undefined);
    expect(result.comparisons).toMatchObject([
      { measure: "rate", met: null },
      { measure: "p99", ratio: { median: 2 }, goal: "≤ 1.5", met: false },
    ]);
  });

  test("a goal that names no floor of the row: an error, and no silent pass", async () => {
    const plan = { workload: workload("ours", [1, 1, 1, 1]), floors: [] };
    const goals = [{ measure: "rate", against: "bare", atLeast: 1 }] as const;
    await expect(runRounds(spec(goals), plan, () => undefined)).rejects.toThrow('the floor "bare"');
  });
});
