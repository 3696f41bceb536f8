/** One look at what waits: what it does with which endpoint, and how soon the next one follows. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { type DueRoundDeps, dueRound } from "../../../services/delivery/due/due-round.ts";
import type { EndpointState } from "../../../services/delivery/endpoint/endpoint-state.model.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { queueName } from "../../../services/delivery/records/queue-name.rules.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const headOf = (endpointId: string, inMs: number) => ({
  queue: queueName({ endpointId, partition: 3 }, "attempt"),
  claimableAt: new Date(NOW + inMs),
});
const aState = (_id: string, wish: Partial<EndpointState> = {}): EndpointState => ({
  _id,
  partition: 3,
  ...wish,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

let held: number[];
let heads: ReturnType<typeof headOf>[];
let states: EndpointState[];
let paused: string[];
let pulled: number;
let room: number;
let canAsk: boolean;
/** What was done, each when it has ended. */
let done: unknown[][];

beforeEach(() => {
  held = [3];
  heads = [];
  states = [];
  paused = [];
  pulled = 0;
  room = 0;
  canAsk = true;
  done = [];
});

const deps: DueRoundDeps = {
  partitions: { held: () => held },
  deliveries: {
    queueHeads: async () => heads,
    due: async (_queue, _atMs, limit) =>
      Array.from({ length: limit }, (_, index) => ({ _id: String(index), partnerId: "p" })),
    claim: async (places) => places.map(({ _id }) => ({ _id, endpointId: "e" }) as OpenDelivery),
    putOffDue: async () => undefined,
  },
  states: {
    current: async (...asked) => {
      done.push(["current", ...asked]);
      return states;
    },
  },
  pauses: {
    pause: async () => undefined,
    until: (endpointId) => (paused.includes(endpointId) ? NOW + 1 : null),
    refresh: (all) => void done.push(["refresh", all]),
  },
  queues: { room: () => room, announce: () => undefined },
  recovery: {
    advance: async (endpoints) => {
      done.push(["advance", endpoints]);
      return pulled;
    },
  },
  exhaustDisabled: async (of) => {
    await turn();
    await turn();
    done.push(["exhaust", of]);
  },
  observe: async (of) => {
    await turn();
    done.push(["observe", of]);
  },
  canAsk: () => canAsk,
  run: async () => undefined,
  clock: { now: () => NOW },
  leaseMs: 60_000,
};

describe("dueRound", () => {
  test("holds nothing: says so, asks nobody, and nothing is due", async () => {
    held = [];
    expect(await dueRound(deps)).toEqual({ hasMore: false, nextAtMs: Number.POSITIVE_INFINITY });
    expect(done).toEqual([["observe", []]]);
  });

  test("in this order: what is stored of pauses, recoveries, what ends, what is told of it", async () => {
    heads = [headOf("a", 5_000), headOf("b", 2_000), headOf("c", 9_000)];
    states = [aState("other")];
    expect(await dueRound(deps)).toEqual({ hasMore: false, nextAtMs: NOW + 2_000 });
    expect(done).toEqual([
      ["current", [3], NOW],
      ["refresh", states],
      ["advance", []],
      ["exhaust", heads],
      ["observe", heads],
    ]);
  });

  test("recovers those that healed in its partitions and are not paused; looks again as soon as it may", async () => {
    const recoveringSince = new Date(NOW - 1_000);
    states = [aState("healed", { recoveringSince }), aState("paused", { recoveringSince }), aState("well")];
    paused = ["paused"];
    heads = [headOf("a", 5_000)];
    expect((await dueRound(deps)).nextAtMs).toBe(0);
    expect(done).toContainEqual(["advance", [{ endpointId: "healed", partition: 3 }]]);
  });

  test.each([
    [8, 8, true],
    [8, 7, false],
    [16, 0, true],
    [0, 16, true],
  ])("%i made due and %i taken: another round at once is worth it: %p", async (made, taken, hasMore) => {
    heads = [headOf("a", 0)];
    [pulled, room] = [made, taken];
    expect((await dueRound(deps)).hasMore).toBe(hasMore);
  });

  test("the broker is away: nothing is taken, the rest goes on", async () => {
    heads = [headOf("a", 0)];
    [pulled, room, canAsk] = [15, 50, false];
    expect(await dueRound(deps)).toEqual({ hasMore: false, nextAtMs: NOW });
    expect(done.map(([what]) => what)).toEqual(["current", "refresh", "advance", "exhaust", "observe"]);
  });
});
