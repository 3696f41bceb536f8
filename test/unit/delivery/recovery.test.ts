import { beforeEach, expect, test } from "@jest/globals";
import type { DueDeps } from "../../../services/delivery/due/due-deps.ts";
import { createRecovery, type Recovery } from "../../../services/delivery/due/recovery.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { bothQueues } from "../../../services/delivery/records/queue-name.rules.ts";
import type { Place } from "../../../shared/mongo/mongo.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const LATER = new Date(NOW + 60_000);

/** Waiting retries by id; those made due have NOW as their time. */
let retries: Map<string, OpenDelivery>;
let recovering: Set<string>;
let room: number;
let stepEnds: number;
let recovery: Recovery;

const aRetry = (id: string): OpenDelivery =>
  ({ _id: id, status: "Pending", nextAttemptAt: LATER, attemptCount: 1 }) as OpenDelivery;
const due = () => [...retries.values()].filter(({ nextAttemptAt }) => nextAttemptAt?.getTime() === NOW);
const conclude = (change: Partial<OpenDelivery>, count = due().length) => {
  for (const { _id } of due().slice(0, count)) {
    retries.set(_id, { ...aRetry(_id), ...change });
    recovery.attempted({ _id, endpointId: "endpoint" });
  }
};
const delivered = { status: "Delivered", nextAttemptAt: null } as const;
const failed = { nextAttemptAt: new Date(NOW + 300_000), attemptCount: 2 };
const advance = () => recovery.advance([...recovering].map((endpointId) => ({ endpointId, partition: 0 })));

beforeEach(() => {
  retries = new Map(Array.from({ length: 120 }, (_, index) => [`d${index}`, aRetry(`d${index}`)]));
  recovering = new Set(["endpoint"]);
  room = 100;
  stepEnds = 0;
  const deps = {
    runtime: { clock: { now: () => NOW } },
    deliveries: {
      load: async (deliveries: Place[]) => deliveries.flatMap(({ _id }) => retries.get(_id) ?? []),
      async pullForward(queues: string[], atMs: number, limit: number) {
        expect(queues).toEqual(bothQueues({ endpointId: "endpoint", partition: 0 }));
        // None means all of them to the database.
        expect(limit).toBeGreaterThan(0);
        const waiting = [...retries.values()].filter(({ nextAttemptAt }) => nextAttemptAt === LATER);
        const pulled = waiting.slice(0, limit);
        for (const { _id } of pulled) retries.set(_id, { ...aRetry(_id), nextAttemptAt: new Date(atMs) });
        return pulled;
      },
    },
    endpoints: {
      states: {
        async endRecovery(endpointId: string) {
          await new Promise((resolve) => setImmediate(resolve));
          recovering.delete(endpointId);
        },
      },
      queues: { room: (_: string, priority: string) => (priority === "attempt" ? room : 0) },
    },
  } as unknown as DueDeps;
  recovery = createRecovery(deps, () => {
    stepEnds += 1;
  });
});

test("a step of fifty, and the next only when the whole of it was answered", async () => {
  expect(await advance()).toBe(50);
  expect(await advance()).toBe(0);
  conclude(delivered, 49);
  expect([await advance(), stepEnds]).toEqual([0, 0]);
  conclude(delivered);
  expect(stepEnds).toBe(1);
  expect(await advance()).toBe(50);
});

test("all of them in the end, and then the recovery is over", async () => {
  for (const size of [50, 50, 20]) {
    expect(await advance()).toBe(size);
    conclude(delivered);
  }
  expect(recovering.size).toBe(0);
  expect([...retries.values()].every(({ status }) => status === "Delivered")).toBe(true);
});

test("a step that failed as a whole ends it, and nothing more is spent", async () => {
  await advance();
  conclude(failed);
  expect(await advance()).toBe(0);
  expect(recovering.size).toBe(0);
  expect([...retries.values()].filter(({ attemptCount }) => attemptCount === 2)).toHaveLength(50);
});

test("single failures do not end it", async () => {
  await advance();
  conclude(failed, 49);
  conclude(delivered);
  expect(await advance()).toBe(50);
});

test("no more than the endpoint has room for", async () => {
  room = 7;
  expect(await advance()).toBe(7);
  conclude(delivered);
  room = 0;
  expect(await advance()).toBe(0);
  expect(recovering.size).toBe(1);
});

test("a recovery that was ended elsewhere and began again starts with a step of its own", async () => {
  await advance();
  recovering.clear();
  await advance();
  recovering.add("endpoint");
  expect(await advance()).toBe(50);
});

test("attempts that are not part of the step do not count for it", async () => {
  room = 1;
  await advance();
  recovery.attempted({ _id: "an event of now", endpointId: "endpoint" });
  recovery.attempted({ _id: "d0", endpointId: "another" });
  expect(stepEnds).toBe(0);
});

test.each([
  ["failed as a whole", 50],
  ["found nothing", 0],
])(
  "a recovery that %s, and healed again before the next look, starts with a step of its own",
  async (_, size) => {
    if (size === 0) retries.clear();
    expect(await advance()).toBe(size);
    if (size > 0) {
      conclude(failed);
      expect(await advance()).toBe(0);
    }
    expect(recovering.size).toBe(0);
    for (let index = 0; index < 60; index += 1) retries.set(`new ${index}`, aRetry(`new ${index}`));
    recovering.add("endpoint");
    expect(await advance()).toBe(50);
  },
);
