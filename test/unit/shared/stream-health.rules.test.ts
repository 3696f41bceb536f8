import { describe, expect, test } from "@jest/globals";
import {
  type ConsumerNumbers,
  type Standstill,
  type StreamNumbers,
  watchStandstill,
} from "../../../shared/jetstream/stream-health.rules.ts";

const idle: ConsumerNumbers = {
  pending: 0,
  ackPending: 0,
  maxAckPending: 100,
  redelivered: 0,
  deliveredUpTo: 40,
  waiting: 1,
};
const stream = (
  change: Partial<StreamNumbers> = {},
  ...consumers: Partial<ConsumerNumbers>[]
): StreamNumbers => ({
  created: "t0",
  firstSequence: 1,
  lastSequence: 40,
  messages: 40,
  consumers: (consumers.length > 0 ? consumers : [{}]).map((each) => ({ ...idle, ...each })),
  ...change,
});

const isBroken = (retention: "limits" | "workqueue", ...looks: [atMs: number, StreamNumbers][]) => {
  let standstill: Standstill = null;
  let broken = false;
  for (const [at, numbers] of looks) {
    const seen = watchStandstill(retention, standstill, numbers, at);
    standstill = seen.standstill;
    broken = seen.isBroken;
  }
  return broken;
};
const standing = (retention: "limits" | "workqueue", numbers: StreamNumbers) =>
  isBroken(retention, [0, numbers], [19_999, numbers])
    ? "too early"
    : isBroken(retention, [0, numbers], [20_000, numbers]);

describe("a stream that keeps its messages", () => {
  test.each([
    ["all were given out", stream(), false],
    ["some were never given out, and its consumer knows of none", stream({ lastSequence: 45 }), true],
    ["some wait, and somebody asks", stream({ lastSequence: 45 }, { pending: 5 }), true],
    ["one waits, and somebody asks", stream({ lastSequence: 41 }, { pending: 1 }), true],
    ["some wait, and nobody asks", stream({ lastSequence: 45 }, { pending: 5, waiting: 0 }), false],
    ["some wait for acknowledgements", stream({ lastSequence: 45 }, { pending: 5, ackPending: 100 }), false],
    ["the oldest were dropped", stream({ firstSequence: 41 }, { deliveredUpTo: 3 }), false],
    ["and one is hidden", stream({ firstSequence: 41, lastSequence: 41 }, { deliveredUpTo: 3 }), true],
    ["it is empty", stream({ firstSequence: 1, lastSequence: 0, messages: 0 }, { deliveredUpTo: 0 }), false],
  ])("%s", (_name, numbers, expected) => {
    expect(standing("limits", numbers)).toBe(expected);
  });
});

describe.each(["limits", "workqueue"] as const)(
  "%s: a consumer was given more than the stream holds",
  (retention) => {
    const cut = stream({ lastSequence: 30, messages: 0 });
    test("is broken at the second look", () => {
      expect(isBroken(retention, [0, cut])).toBe(false);
      expect(isBroken(retention, [0, cut], [3_999, cut])).toBe(false);
      expect(isBroken(retention, [0, cut], [4_000, cut])).toBe(true);
    });

    test("is well once it holds as much again", () => {
      const grown = stream({ messages: 0 });
      expect(isBroken(retention, [0, cut], [2_000, grown], [30_000, grown])).toBe(false);
    });
  },
);

describe("a stream that is worked off", () => {
  test.each([
    ["it is empty", stream({ messages: 0 }), false],
    ["all are with somebody", stream({ messages: 5 }, { ackPending: 3 }, { ackPending: 2 }), false],
    ["some wait, and no consumer asks", stream({ messages: 5 }, { pending: 5, waiting: 0 }, {}), false],
    ["one passed the end", stream({ messages: 0, lastSequence: 30 }, { deliveredUpTo: 30 }, {}), "too early"],
    ["one is with nobody", stream({ messages: 6 }, { ackPending: 3 }, { ackPending: 2 }), true],
    ["some wait in one lane, and somebody asks", stream({ messages: 5 }, { pending: 5 }, {}), true],
  ])("%s", (_name, numbers, expected) => {
    expect(standing("workqueue", numbers)).toBe(expected);
  });
});

test("a healthy consumer has no standstill", () => {
  expect(watchStandstill("limits", null, stream(), 0)).toEqual({ standstill: null, isBroken: false });
});

test("a stream that moves, was recreated or recovers in between is not broken", () => {
  const stuck = stream({ lastSequence: 45 });
  const moved = stream({ lastSequence: 45 }, { deliveredUpTo: 41 });
  const anew = stream({ lastSequence: 45, created: "t1" });
  for (const other of [moved, anew, stream()])
    expect(isBroken("limits", [0, stuck], [10_000, other], [20_000, stuck])).toBe(false);
});
