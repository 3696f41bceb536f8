import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { createHandOver, type ScheduledAttempt } from "../../../services/delivery/attempt/hand-over.ts";
import type { DeliveryUpdate } from "../../../services/delivery/records/delivery-update.rules.ts";
import type { HandedAttempt } from "../../../shared/contract/actions/delivery.ts";

const NOW = 1_000;

/** `here` is owned by this process, `there` by the node "other", `lost` by no process. */
function aHandOver(
  answer: (attempts: readonly HandedAttempt[]) => Promise<readonly string[]> = async () => [],
) {
  const run: ScheduledAttempt[] = [];
  const calls: [string, readonly HandedAttempt[]][] = [];
  const givenBack: string[] = [];
  const announced: [string, number][] = [];
  const owners: Record<string, string> = { here: "me", there: "other", mineSoon: "me", dead: "gone" };
  const handOver = createHandOver({
    runtime: {
      clock: { now: () => NOW },
      config: { deliveryLeaseMs: 60_000 },
      logger: pino({ level: "silent" }),
    },
    endpoints: {
      partitions: {
        epoch: (partnerId: string) => (partnerId === "here" ? 1 : null),
        owner: (partnerId: string) => owners[partnerId] ?? null,
      },
      queues: { announce: (endpointId: string, count: number) => void announced.push([endpointId, count]) },
    },
    run: async (due: ScheduledAttempt[]) => void run.push(...due),
    peers: {
      me: "me",
      isReachable: (node: string) => node !== "gone",
      takeAttempts(node: string, attempts: HandedAttempt[]) {
        calls.push([node, attempts]);
        return answer(attempts);
      },
    },
    store: async ({ deliveryId, set }: DeliveryUpdate) => {
      expect(set.claimableAt?.getTime()).toBe(NOW);
      givenBack.push(deliveryId);
    },
  } as unknown as Parameters<typeof createHandOver>[0]);
  return { handOver, run, calls, givenBack, announced };
}

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

test("attempts are run here, or passed whole to the owner of their endpoint", async () => {
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
])("an owner that %s: the attempts are due immediately, for the next owner", async (_, answer, lost) => {
  const { handOver, givenBack } = aHandOver(answer);
  handOver.give([planned("b", "there"), planned("c", "there")]);
  await settled();
  expect(givenBack).toEqual(lost);
});

test("no process owns the endpoint, or this process does not yet: the attempts are due immediately", async () => {
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

test("an attempt has a lease here, a shorter lease on its way, and none without a reachable owner", () => {
  const { leaseMs } = aHandOver().handOver;
  expect(["here", "there", "dead", "lost", "mineSoon"].map(leaseMs)).toEqual([
    ...[60_000, 20_000, null, null, null],
  ]);
});
