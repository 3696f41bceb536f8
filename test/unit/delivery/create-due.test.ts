/** The loop over waiting deliveries: when it looks, what wakes it, and that its parts are joined. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { createDue } from "../../../services/delivery/due/create-due.ts";
import type { DueDeps } from "../../../services/delivery/due/due-deps.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { bothQueues, queueName } from "../../../services/delivery/records/queue-name.rules.ts";
import { freeLane } from "../../../shared/lanes.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

const PLACE = { endpointId: "e", partition: 3 };
const QUEUE = queueName(PLACE, "attempt");

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** An endpoint with a delivery that waits until a time set by the test. */
function aStage() {
  const calls: unknown[][] = [];
  const warn = jest.fn();
  const stage = {
    dueInMs: Number.POSITIVE_INFINITY,
    isRecovering: false,
    mustPoll: false,
    isLive: true,
    isConnected: true,
    isAway: false,
    rounds: 0,
  };
  const delivery = { _id: "d", partnerId: "p", endpointId: "e", status: "Delivered" } as OpenDelivery;
  const deliveries = {
    queueHeads: async () =>
      Number.isFinite(stage.dueInMs)
        ? [{ queue: QUEUE, claimableAt: new Date(Date.now() + stage.dueInMs) }]
        : [],
    due: async () => [{ _id: "d", partnerId: "p" }],
    claim: async (_places: unknown, _token: unknown, atMs: number, untilMs: number) => {
      calls.push(["claim", untilMs - atMs]);
      return [delivery];
    },
    exhaust: async (queues: unknown) => {
      calls.push(["exhaust", queues]);
      return 0;
    },
    partnerOf: async () => "p",
    countDue: async () => 7,
    pullForward: async () => [{ _id: "d", partnerId: "p" }],
    load: async () => [delivery],
  };
  const states = {
    current: async () => {
      stage.rounds += 1;
      if (stage.isAway) throw new Error("away");
      const recoveringSince = stage.isRecovering ? new Date() : null;
      return [{ _id: "e", partition: 3, pausedUntil: null, recoveringSince }];
    },
    async startRecovery(...args: unknown[]) {
      await null;
      calls.push(["startRecovery", ...args]);
    },
    endRecovery: async () => undefined,
  };
  const metrics = createMetrics("delivery");
  const due = createDue({
    runtime: {
      ...{ metrics, clock: { now: () => Date.now() }, jetstream: { connected: () => stage.isConnected } },
      config: { deliveryPollMs: 1_000, deliveryLeaseMs: 60_000 },
      logger: Object.assign(pino({ level: "silent" }), { warn }),
      lanes: {
        lane: (name: string) => {
          calls.push(["lane", name]);
          return freeLane;
        },
      },
    },
    deliveries,
    endpoints: {
      states,
      directory: { find: async () => (stage.isLive ? { status: "Active" } : null) },
      queues: {
        ...{ room: () => 1, announce: () => undefined, held: () => 0 },
        ...{ heldIds: () => [], forget: () => undefined },
      },
      pauses: { until: () => null, refresh: () => undefined },
      partitions: { held: () => [3], mustPoll: () => stage.mustPoll },
    },
    run: async (...args: unknown[]) => void calls.push(["run", ...args]),
  } as unknown as DueDeps);
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  return Object.assign(stage, { due, calls, pass, warn, metrics, delivery });
}

/** The number of polls after each of these times. */
async function looksAfter(stage: ReturnType<typeof aStage>, ...times: number[]) {
  const looks: number[] = [];
  for (const ms of times) {
    await stage.pass(ms);
    looks.push(stage.rounds);
  }
  return looks;
}

describe("createDue", () => {
  test("looks at once, then when something is due; a stop ends it", async () => {
    const stage = aStage();
    stage.dueInMs = 3_000;
    stage.due.start();
    expect(await looksAfter(stage, 0, 2_999, 1)).toEqual([1, 1, 2]);
    await stage.due.stop();
    expect(await looksAfter(stage, 60_000)).toEqual([2]);
    expect(stage.calls[0]).toEqual(["lane", "due"]);
  });

  test("nothing is due: looks after ten seconds; every second when others cannot tell it", async () => {
    const stage = aStage();
    stage.due.start();
    expect(await looksAfter(stage, 0, 9_999, 1)).toEqual([1, 1, 2]);
    stage.mustPoll = true;
    expect(await looksAfter(stage, 10_000, 999, 1)).toEqual([3, 3, 4]);
    await stage.due.stop();
  });

  test("can be woken; a look that fails is followed by the next", async () => {
    const stage = aStage();
    stage.due.start();
    await stage.pass(0);
    stage.isAway = true;
    stage.due.wake();
    expect(await looksAfter(stage, 0, 10_000)).toEqual([2, 3]);
    expect(stage.warn).toHaveBeenLastCalledWith({ err: expect.any(Error) }, "due.round_failed");
    await stage.due.stop();
  });

  test("due deliveries are taken under the configured lease, unless the registry is away", async () => {
    const stage = aStage();
    stage.dueInMs = 0;
    stage.isConnected = false;
    stage.due.start();
    await stage.pass(0);
    expect(stage.calls.slice(1)).toEqual([]);
    stage.isConnected = true;
    await stage.pass(1_000);
    expect(stage.calls.slice(1)).toEqual([
      ["claim", 60_000],
      ["run", [{ delivery: stage.delivery }]],
    ]);
    expect(await stage.metrics.text()).toMatch(/^pbo_delivery_due\{.*\} 7$/m);
    await stage.due.stop();
  });

  test("an endpoint disabled without notice: what waits for it ends; with notice too", async () => {
    const stage = aStage();
    [stage.isLive, stage.isConnected, stage.dueInMs] = [false, false, 5_000];
    stage.due.start();
    await stage.pass(0);
    expect(stage.calls.slice(1)).toEqual([["exhaust", bothQueues(PLACE)]]);
    await stage.due.exhaust(PLACE);
    expect(stage.calls.slice(2)).toEqual([["exhaust", bothQueues(PLACE)]]);
    await stage.due.stop();
  });

  test("a healed endpoint: stored first, then looked at; the end of a step wakes it for the next", async () => {
    const stage = aStage();
    stage.due.start();
    await stage.pass(0);
    stage.isRecovering = true;
    const at = Date.now();
    const recovering = stage.due.recover(PLACE);
    expect(stage.rounds).toBe(1);
    await recovering;
    expect(stage.calls.slice(1)).toEqual([["startRecovery", PLACE, at]]);
    expect(await looksAfter(stage, 0)).toEqual([2]);
    stage.due.attempted({ ...stage.delivery, _id: "another" });
    expect(await looksAfter(stage, 0)).toEqual([2]);
    stage.due.attempted(stage.delivery);
    expect(await looksAfter(stage, 0)).toEqual([3]);
    await stage.due.stop();
  });
});
