import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { createHandOver, type ScheduledAttempt } from "../../../services/delivery/attempt/hand-over.ts";
import type { HandedAttempt } from "../../../shared/contract/actions/delivery.ts";

const NOW = 1_000;

/** `here` is looked after by this process, `there` by the node "other", `lost` by nobody. */
function aHandOver(
  answer: (attempts: readonly HandedAttempt[]) => Promise<readonly string[]> = async () => [],
) {
  const run: ScheduledAttempt[] = [];
  const calls: [string, readonly HandedAttempt[]][] = [];
  const givenBack: string[] = [];
  const announced: [string, number][] = [];
  const handOver = createHandOver({
    me: "me",
    partitions: {
      epoch: (partnerId) => (partnerId === "here" ? 1 : null),
      owner: (partnerId) => ({ here: "me", there: "other", mineSoon: "me", dead: "gone" })[partnerId] ?? null,
    },
    queues: { announce: (endpointId, count) => void announced.push([endpointId, count]) },
    run: async (due) => void run.push(...(due as ScheduledAttempt[])),
    isReachable: (node) => node !== "gone",
    takeAttempts(node, attempts) {
      calls.push([node, attempts]);
      return answer(attempts);
    },
    store: async ({ deliveryId, set }) => {
      expect(set.claimableAt?.getTime()).toBe(NOW);
      givenBack.push(deliveryId);
    },
    clock: { now: () => NOW },
    config: { deliveryLeaseMs: 60_000 },
    logger: pino({ level: "silent" }),
  });
  return { handOver, run, calls, givenBack, announced };
}

test("no attempt is kept for a owner that the broker has lost: it waits in the database", () => {
  const { handOver } = aHandOver();
  expect([handOver.leaseMs("there"), handOver.leaseMs("dead"), handOver.leaseMs("lost")]).toEqual([
    20_000,
    null,
    null,
  ]);
});

const planned = (_id: string, partnerId: string): ScheduledAttempt => ({
  delivery: {
    ...{ _id, partnerId, endpointId: `endpoint of ${partnerId}`, eventId: `event of ${_id}` },
    ...{ eventType: "webhook.test", eventVersion: 1, replaySeries: null },
    ...{ status: "Pending", attemptCount: 0, nextAttemptAt: null, postponed: 0 },
    occurredAt: new Date(1_000),
  },
  content: { _id: `event of ${_id}`, envelopeJson: `body of ${_id}`, traceparent: "trace" },
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("attempts are run here, or given to whoever looks after their endpoint, whole", async () => {
  const { handOver, run, calls, givenBack, announced } = aHandOver();
  handOver.give([planned("a", "here"), planned("b", "there"), planned("c", "there")]);
  await settled();
  expect(run.map(({ delivery }) => delivery._id)).toEqual(["a"]);
  expect(calls.map(([node, attempts]) => [node, attempts.map(({ deliveryId }) => deliveryId)])).toEqual([
    ["other", ["b", "c"]],
  ]);
  expect(givenBack).toEqual([]);
  expect(announced).toEqual([
    ["endpoint of here", 1],
    ["endpoint of there", 2],
  ]);
});

test("a handed-over delivery arrives unchanged", () => {
  const { handOver, run } = aHandOver();
  const { delivery, content } = planned("a", "here");
  const handed = {
    ...{ deliveryId: "a", partnerId: "here", endpointId: delivery.endpointId, eventId: delivery.eventId },
    ...{ eventType: "webhook.test", eventVersion: 1, replaySeries: null },
    ...{ body: content.envelopeJson, traceparent: content.traceparent },
    occurredAt: "1970-01-01T00:00:01.000Z",
  };
  expect(handOver.take([handed, { ...handed, deliveryId: "b", partnerId: "there" }])).toEqual(["b"]);
  expect(run).toEqual([{ delivery, content }]);
});

test.each([
  ["refuses some of them", async () => ["b"], ["b"]],
  ["cannot be reached", () => Promise.reject(new Error("gone")), ["b", "c"]],
])("one that %s: those are due at once, for whoever comes next", async (_, answer, lost) => {
  const { handOver, givenBack } = aHandOver(answer);
  handOver.give([planned("b", "there"), planned("c", "there")]);
  await settled();
  expect(givenBack).toEqual(lost);
});

test("nobody looks after the endpoint, or this process does not yet: due at once", async () => {
  const { handOver, givenBack, calls } = aHandOver();
  handOver.give([planned("a", "lost"), planned("b", "mineSoon")]);
  await settled();
  expect([givenBack, calls]).toEqual([["a", "b"], []]);
});

test("many go in several calls", async () => {
  const { handOver, calls } = aHandOver();
  handOver.give(Array.from({ length: 60 }, (_, index) => planned(String(index), "there")));
  await settled();
  expect(calls.map(([, attempts]) => attempts.length)).toEqual([25, 25, 10]);
});

test("the due loop leaves alone what is in hand here, for a while what is on its way, and nothing else", () => {
  const { leaseMs } = aHandOver().handOver;
  expect(["here", "there", "lost", "mineSoon"].map(leaseMs)).toEqual([60_000, 20_000, null, null]);
});
