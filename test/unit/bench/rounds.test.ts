import { describe, expect, test } from "@jest/globals";
import { runRounds } from "../../bench/frame/rounds.ts";
import type { BenchPlan, BenchSpec, Goal, Workload } from "../../bench/frame/spec.ts";
import { figuresOf, percentile, spreadOf } from "../../bench/frame/stats.ts";
import { resultTable, sideBySide } from "../../bench/frame/table.ts";

describe("figures", () => {
  test("rate per second and nearest-rank percentiles", () => {
    const latenciesMs = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(figuresOf({ count: 500, elapsedMs: 2_000, latenciesMs })).toEqual({
      rate: 250,
      p50Ms: 50,
      p99Ms: 99,
      cpuMs: 0,
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
    floors: [{ goals: [goal], ...FACTS, ...workload("bare", BARE, order) }],
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
        rate: 100,
        compared: [
          {
            measure: "rate",
            ratio: { median: 0.9, min: 0.8, max: 1 },
            interval: { low: 0.8, high: 1 },
            verdict: null,
          },
        ],
      },
    ]);
  });

  test("a goal for a latency: the ratio is of that figure", async () => {
    const { floors } = await run({ measure: "p99", atMost: 1.5 }, { ours: OURS.map(() => 50) });
    const compared = [{ measure: "p99", ratio: { median: 2 }, goal: "≤ 1.5", verdict: "missed" }];
    expect(floors).toMatchObject([{ compared }]);
  });

  test("a pooled percentile: of the samples of all rounds, where the rounds' own would say otherwise", async () => {
    // Three of four hundred samples are slow; each is the p99 of its round.
    const slowIn =
      (rounds: number) =>
      async ({ round }: { round: number }) => ({
        count: 80,
        elapsedMs: 1_000,
        latenciesMs: Array.from({ length: 80 }, (_, i) => (i === 0 && round <= rounds ? 100 : 10)),
      });
    const goals: Goal[] = [{ measure: "p99" }, { measure: "p99", pooled: true }];
    const plan: BenchPlan = {
      workload: { name: "ours", run: slowIn(3) },
      floors: [{ goals, ...FACTS, name: "bare", run: slowIn(0) }],
    };
    const spec: BenchSpec = { name: "row", issue: 2, rounds: 5, setup: async () => plan };
    const { floors } = await runRounds(spec, plan, () => undefined);
    expect(floors[0]?.compared).toMatchObject([
      { measure: "p99", ratio: { median: 10 } },
      { measure: "p99 of all", ratio: { median: 1 }, interval: { low: 1 } },
    ]);
  });

  test("a ledger: the sum of its rounds, shown below the figures", async () => {
    const ledger = { published: 50, received: 50, missing: 0 };
    const counting = {
      name: "ours",
      run: async () => ({ count: 1, elapsedMs: 1, latenciesMs: [1], ledger }),
    };
    const plan: BenchPlan = {
      workload: counting,
      floors: [{ goals: [], ...FACTS, ...workload("bare", BARE) }],
    };
    const spec: BenchSpec = { name: "row", issue: 2, rounds: 3, setup: async () => plan };
    const result = await runRounds(spec, plan, () => undefined);
    expect(result.workload.ledger).toEqual({ published: 150, received: 150, missing: 0 });
    expect(resultTable([result])).toContain("    ledger: 150 published, 150 received, 0 missing");
  });

  test("a floor that did nothing: undecided, and no pass by dividing by zero", async () => {
    const plan: BenchPlan = {
      workload: workload("ours", OURS),
      floors: [{ goals: [{ measure: "rate", atLeast: 1 }], ...FACTS, ...workload("idle", []) }],
    };
    const spec: BenchSpec = { name: "row", issue: 2, rounds: ROUNDS, setup: async () => plan };
    const { floors } = await runRounds(spec, plan, () => undefined);
    expect(floors).toMatchObject([{ compared: [{ verdict: "undecided" }] }]);
  });
});

describe("the CPU of a workload", () => {
  const used = { profile: 0, redis: 0 };
  const spending = (name: string, ms: number, cpuOf?: readonly string[]): Workload => ({
    name,
    ...(cpuOf && { cpuOf }),
    run: async () => {
      used.profile += ms;
      used.redis += 9;
      return { count: 10, elapsedMs: 1_000, latenciesMs: [1] };
    },
  });
  const judge = (cpuOf?: readonly string[]) => {
    const goals: Goal[] = [{ measure: "cpu", atMost: 0.8 }];
    const plan: BenchPlan = {
      workload: spending("ours", 50, cpuOf),
      floors: [{ goals, ...FACTS, ...spending("bare", 700, ["profile"]) }],
    };
    const spec: BenchSpec = { name: "row", issue: 2, rounds: 5, setup: async () => plan };
    const meter = () => new Map([...Object.entries(used), ["idle", 4] as const]);
    return runRounds(spec, plan, () => undefined, meter);
  };

  test("CPU is counted by role and operation, for floors as well, without the warm-up", async () => {
    const result = await judge();
    expect(result.workload.cpuMs).toEqual({ profile: 5, redis: 0.9 });
    expect(result.floors[0]?.cpuMs).toEqual({ profile: 70, redis: 0.9 });
    expect(resultTable([result])).toContain("    CPU of each: profile 5.00 ms, redis 0.90 ms");
  });

  test.each([
    [["profile"], 5 / 70, "passed"],
    [["profile", "redis"], 5.9 / 70, "passed"],
  ])("a goal of CPU: the roles %p of the workload count", async (cpuOf, ratio, verdict) => {
    const [compared] = (await judge(cpuOf)).floors[0]?.compared ?? [];
    expect(compared).toMatchObject({ measure: "cpu", verdict });
    expect(compared?.ratio.median).toBeCloseTo(ratio);
  });
});

describe("sideBySide", () => {
  test("each row once, with the figures and verdicts of each kind of servers, and a gap where it did not run", async () => {
    const result = await run({ measure: "rate", atLeast: 0.8 });
    const table = sideBySide([
      { servers: "one copy", results: [result, { ...result, name: "only here" }] },
      { servers: "three copies", results: [result] },
    ]);
    const cells = table.split("\n").map((line) => line.split(/ {2,}/));
    expect(cells[0]?.slice(1)).toEqual(["one copy", "three copies"]);
    expect(cells.slice(1, 3)).toEqual([
      ["row", "90 / 11.11 / 11.11", "90 / 11.11 / 11.11"],
      ["", "rate beside bare", "0.90 (0.80–1.00) passed", "0.90 (0.80–1.00) passed"],
    ]);
    expect(cells[3]).toEqual(["only here", "90 / 11.11 / 11.11"]);
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
