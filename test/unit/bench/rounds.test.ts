import { describe, expect, test } from "@jest/globals";
import { runRounds } from "../../bench/frame/rounds.ts";
import type { BenchPlan, BenchSpec, Goal, Workload } from "../../bench/frame/spec.ts";
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

const OURS = [9, 90, 80, 100, 85, 95];
const ROUNDS = OURS.length - 1;
const BARE = OURS.map(() => 100);
const FACTS = { fairBecause: "it does the same" };

function run(goal: Goal, { ours = OURS, order = [] as string[], rounds = ROUNDS } = {}) {
  const plan: BenchPlan = {
    workload: workload("ours", ours, order),
    floors: [{ ...goal, ...FACTS, ...workload("bare", BARE, order) }],
  };
  const spec: BenchSpec = { name: "row", issue: 2, rounds, setup: async () => plan };
  return runRounds(spec, plan, () => undefined);
}

describe("runRounds", () => {
  test("runs workload and floor by turns, the other way round each time, and does not count the warm-up", async () => {
    const order: string[] = [];
    const result = await run({ measure: "rate" }, { order, rounds: 3 });
    expect(order).toEqual(["0 ours", "0 bare", "1 bare", "1 ours", "2 ours", "2 bare", "3 bare", "3 ours"]);
    expect(result.workload.rounds.map(({ rate }) => rate)).toEqual([90, 80, 100]);
  });

  test("a floor: its reason, the median of the ratios and how far they spread", async () => {
    const { floors } = await run({ measure: "rate" });
    expect(floors).toMatchObject([
      {
        name: "bare",
        ...FACTS,
        measure: "rate",
        rate: 100,
        ratio: { median: 0.9, min: 0.8, max: 1 },
        interval: { low: 0.8, high: 1 },
        verdict: null,
      },
    ]);
  });

  test("a goal for a latency: the ratio is of that figure", async () => {
    const { floors } = await run({ measure: "p99", atMost: 1.5 }, { ours: OURS.map(() => 50) });
    expect(floors).toMatchObject([
      { measure: "p99", ratio: { median: 2 }, goal: "≤ 1.5", verdict: "missed" },
    ]);
  });

  test("a floor that did nothing: undecided, and no pass by dividing by zero", async () => {
    const plan: BenchPlan = {
      workload: workload("ours", OURS),
      floors: [{ measure: "rate", atLeast: 1, ...FACTS, ...workload("idle", []) }],
    };
    const spec: BenchSpec = { name: "row", issue: 2, rounds: ROUNDS, setup: async () => plan };
    const { floors } = await runRounds(spec, plan, () => undefined);
    expect(floors).toMatchObject([{ verdict: "undecided" }]);
  });
});

describe("the CPU of a workload", () => {
  test("CPU is counted by role and operation, for floors as well, without the warm-up", async () => {
    let used = 0;
    const spending = (name: string, ms: number): Workload => ({
      name,
      run: async () => {
        used += ms;
        return { count: 10, elapsedMs: 1_000, latenciesMs: [1] };
      },
    });
    const plan: BenchPlan = {
      workload: spending("ours", 50),
      floors: [{ measure: "rate", ...FACTS, ...spending("bare", 700) }],
    };
    const spec: BenchSpec = { name: "row", issue: 2, rounds: 3, setup: async () => plan };
    const meter = () =>
      new Map([
        ["profile", used],
        ["idle", 4],
      ]);
    const result = await runRounds(spec, plan, () => undefined, meter);
    expect(result.workload.cpuMs).toEqual({ profile: 5 });
    expect(result.floors[0]?.cpuMs).toEqual({ profile: 70 });
    expect(resultTable([result])).toContain("    CPU of each: profile 5.00 ms");
  });
});

describe("resultTable", () => {
  test.each([
    [0.8, "passed"],
    [0.9, "UNDECIDED"],
    [1.1, "MISSED"],
  ])("a goal of at least %p: %p, with the interval and the floor's reason", async (atLeast, shown) => {
    const lines = resultTable([await run({ measure: "rate", atLeast })]).split("\n");
    const floor = lines.findIndex((line) => line.startsWith("  beside bare"));
    expect(lines[floor]).toMatch(new RegExp(`0\\.90 \\(0\\.80–1\\.00\\) +≥ ${atLeast} +${shown}$`));
    expect(lines[floor + 1]).toBe("    fair: it does the same");
  });

  test("a floor that this machine cannot run: named, with the reason", async () => {
    const missing = [{ name: "a peer", because: "no server" }];
    const table = resultTable([{ ...(await run({ measure: "rate" })), missing }]);
    expect(table.split("\n").at(-1)).toBe("  beside a peer: NOT MEASURED, no server");
  });

  test("too few rounds: said in place of an interval", async () => {
    const table = resultTable([await run({ measure: "rate", atLeast: 0.5 }, { rounds: 3 })]);
    expect(table).toMatch(/0\.90 \(too few rounds\) +≥ 0\.5 +UNDECIDED/);
  });
});
