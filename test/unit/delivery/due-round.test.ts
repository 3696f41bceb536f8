import { expect, test } from "@jest/globals";
import type { DueDeps } from "../../../services/delivery/due/due-deps.ts";
import { createDueRound } from "../../../services/delivery/due/due-round.ts";
import type { EndpointState } from "../../../services/delivery/endpoint/endpoint-state.model.ts";
import { queueName } from "../../../services/delivery/records/queue-name.rules.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const headOf = (endpointId: string, inMs: number) => ({
  queue: queueName({ endpointId, partition: 3 }, "attempt"),
  claimableAt: new Date(NOW + inMs),
});
const DEFAULTS = {
  ...{ held: [3], heads: [] as ReturnType<typeof headOf>[], states: [] as EndpointState[] },
  ...{ paused: [] as string[], pulled: 0, room: 0, canAsk: true },
};

/** Answers the round's answer, and its steps when each has ended. */
async function round(given: Partial<typeof DEFAULTS>) {
  const { held, heads, states, paused, pulled, room, canAsk } = { ...DEFAULTS, ...given };
  const done: unknown[][] = [];
  const later = async (...step: unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    done.push(step);
  };
  const deps = {
    runtime: {
      clock: { now: () => NOW },
      config: { deliveryLeaseMs: 60_000 },
      jetstream: { connected: () => canAsk },
      metrics: { set: () => done.push(["observe"]) },
    },
    deliveries: {
      queueHeads: async () => heads,
      due: async (_queue: string, _atMs: number, limit: number) => Array(limit).fill({ _id: "d" }),
      claim: async (places: object[]) => places,
      countDue: async () => 0,
    },
    endpoints: {
      partitions: { held: () => held },
      states: {
        async current(...asked: unknown[]) {
          await later("current", ...asked);
          return states;
        },
      },
      pauses: {
        until: (endpointId: string) => (paused.includes(endpointId) ? NOW + 1 : null),
        refresh: (all: unknown) => void done.push(["refresh", all]),
      },
      queues: { room: () => room, announce: () => undefined, held: () => 0 },
    },
    run: async () => undefined,
  } as unknown as DueDeps;
  const recovery = {
    async advance(endpoints: unknown) {
      await later("advance", endpoints);
      return pulled;
    },
  };
  const seen = await createDueRound(deps, recovery, { check: (of) => later("check", of) })();
  return { seen, done, steps: [...new Set(done.map(([step]) => step))] };
}

test("a process without partitions: asks nothing, and nothing is due", async () => {
  const { seen, steps } = await round({ held: [] });
  expect([seen, steps]).toEqual([{ hasMore: false, nextAtMs: Number.POSITIVE_INFINITY }, ["observe"]]);
});

test("a round: stored pauses first, then recoveries, disabled endpoints, and the gauges", async () => {
  const heads = [headOf("a", 5_000), headOf("b", 2_000), headOf("c", 9_000)];
  const states = [{ _id: "other", partition: 3 }];
  const { seen, done, steps } = await round({ heads, states });
  expect(seen).toEqual({ hasMore: false, nextAtMs: NOW + 2_000 });
  expect(done.slice(0, 4)).toEqual([
    ["current", [3], NOW],
    ["refresh", states],
    ["advance", []],
    ["check", heads],
  ]);
  expect(steps.at(-1)).toBe("observe");
});

test("endpoints that healed and are not paused recover; the next round follows as soon as it may", async () => {
  const recoveringSince = new Date(NOW - 1_000);
  const of = (_id: string, more: Partial<EndpointState> = {}) => ({ _id, partition: 3, ...more });
  const states = [of("healed", { recoveringSince }), of("paused", { recoveringSince }), of("well")];
  const { seen, done } = await round({ states, paused: ["paused"], heads: [headOf("a", 5_000)] });
  expect(seen.nextAtMs).toBe(0);
  expect(done).toContainEqual(["advance", [{ endpointId: "healed", partition: 3 }]]);
});

test.each([
  [8, 8, true],
  [8, 7, false],
  [16, 0, true],
  [0, 16, true],
])("%i made due and %i taken: another round follows immediately: %p", async (pulled, room, hasMore) => {
  expect((await round({ pulled, room, heads: [headOf("a", 0)] })).seen.hasMore).toBe(hasMore);
});

test("the broker is away: nothing is taken, the other steps go on", async () => {
  const { seen, steps } = await round({ pulled: 15, room: 50, canAsk: false, heads: [headOf("a", 0)] });
  expect(seen).toEqual({ hasMore: false, nextAtMs: NOW });
  expect(steps).toEqual(["current", "refresh", "advance", "check", "observe"]);
});
