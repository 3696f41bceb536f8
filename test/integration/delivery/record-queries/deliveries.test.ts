import { randomUUID } from "node:crypto";
import { expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../../services/delivery/collections.ts";
import { endpointStateRepository } from "../../../../services/delivery/endpoint/endpoint-state.repository.ts";
import type { DeliveryRecord } from "../../../../services/delivery/records/delivery.model.ts";
import { deliveryRepository } from "../../../../services/delivery/records/delivery.repository.ts";
import { attempted, exhausted, putOff } from "../../../../services/delivery/records/delivery-update.rules.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import { at, NOW, waiting } from "../../../support/builders/delivery-records.ts";
import { idsOf } from "../../../support/builders/records.ts";
import { databaseOfFile, openTestDatabase } from "../../../support/stage/test-database.ts";

const mongo = databaseOfFile("delivery", COLLECTIONS);
const store = (deliveries: readonly DeliveryRecord[]) =>
  collectionOf(mongo.connection, COLLECTIONS.deliveries).insertMany([...deliveries]);

test("endpoint states: pauses and recoveries each for itself, by partition while they last", async () => {
  const states = endpointStateRepository(mongo.connection);
  const collection = collectionOf(mongo.connection, COLLECTIONS.endpointStates);
  const locate = (endpointId: string, partition = 1) => ({ endpointId, partition });
  const byId = states.find;
  await states.pause(locate("a"), NOW + 10_000);
  await states.pause(locate("a"), NOW + 5_000);
  expect(await byId("a")).toEqual({
    ...{ _id: "a", partition: 1, pausedUntil: at(10_000) },
  });
  expect(await byId("none")).toBeNull();
  await states.startRecovery(locate("b", 2), NOW);
  expect(await byId("b")).toEqual({ _id: "b", partition: 2, recoveringSince: at(0) });
  await states.startRecovery(locate("a", 3), NOW + 1);
  expect(await byId("a")).toMatchObject({ partition: 3, pausedUntil: at(10_000), recoveringSince: at(1) });
  await states.pause(locate("a"), NOW + 10_000);
  expect(await byId("a")).toMatchObject({ partition: 1, recoveringSince: at(1) });
  await states.endRecovery("b");
  expect([await byId("a"), await byId("b")]).toEqual([
    { _id: "a", partition: 1, pausedUntil: at(10_000), recoveringSince: at(1) },
    { _id: "b", partition: 2 },
  ]);
  await states.endRecovery("a");
  await states.pause(locate("just over"), NOW);
  await states.pause(locate("over elsewhere", 9), NOW);
  await states.startRecovery(locate("recovers", 2), NOW);
  await states.storeTimes(new Map([["just over", { lastSuccessAt: at(2) }]]));
  expect(idsOf(await states.current([1, 2], NOW)).toSorted()).toEqual(["a", "recovers"]);
  expect(idsOf(await collection.find({ partition: { $gte: 0 } }).toArray()).toSorted()).toEqual([
    ...["a", "over elsewhere", "recovers"],
  ]);
  expect(await byId("just over")).toEqual({ _id: "just over", pausedUntil: at(0), lastSuccessAt: at(2) });
});

test.each([
  ["paused", "pause"],
  ["recovering", "startRecovery"],
] as const)(
  "an endpoint state that is over, and %s again while its partition is taken: stays",
  async (_, change) => {
    const states = endpointStateRepository(mongo.connection);
    const collection = collectionOf(mongo.connection, COLLECTIONS.endpointStates);
    const place = { endpointId: randomUUID(), partition: 20 };
    await states.pause(place, NOW);
    const end = jest.spyOn(collection, "updateMany");
    end.mockImplementationOnce(async (filter, update) => {
      end.mockRestore();
      await states[change](place, NOW + 1);
      return collection.updateMany(filter, update);
    });
    expect(await states.current([20], NOW)).toEqual([]);
    expect(idsOf(await states.current([20], NOW))).toEqual([place.endpointId]);
    await states.endRecovery(place.endpointId);
    expect(await states.current([20], NOW + 1)).toEqual([]);
  },
);

test("endpoint times: the latest of each endpoint stay", async () => {
  const states = endpointStateRepository(mongo.connection);
  await states.storeTimes(
    new Map([
      ["a", { lastSuccessAt: at(5), lastFailureAt: at(1) }],
      ["b", { lastSuccessAt: at(1), lastFailureAt: at(1) }],
    ]),
  );
  await states.storeTimes(new Map([["a", { lastSuccessAt: at(4), lastFailureAt: at(2) }]]));
  expect(await states.find("a")).toMatchObject({ lastSuccessAt: at(5), lastFailureAt: at(2) });
  expect(await states.find("b")).toMatchObject({ lastSuccessAt: at(1) });
});

const NOT_MADE = { statusCode: null, sealedExcerpt: null, durationMs: 0, errorKind: "EndpointDisabled" };
const OUTCOME = {
  ...{ ok: true, statusCode: 200, errorKind: null, sealedExcerpt: "$fine", durationMs: 7 },
  ...{ sentAt: at(1), retryAfterMs: null },
};
const storedDelivery = (_id: string) =>
  collectionOf(mongo.connection, COLLECTIONS.deliveries).findOne({ _id });

test("deliveries that wait: found by their queue when they are due, the longest due first", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const [queue, other] = [`p0050.${randomUUID()}`, `p0050.${randomUUID()}`];
  const [second, first, later, foreign] = [
    waiting(queue, { claimableAt: at(0) }),
    waiting(queue, { claimableAt: at(-1) }),
    waiting(queue, { claimableAt: at(1) }),
    waiting(other, { partnerId: "q", claimableAt: at(-9) }),
  ];
  await store([second, first, later, foreign]);
  const due = [first, second].map(({ _id, partnerId }) => ({ _id, partnerId }));
  // The second time the partner of the queue is known.
  for (const _ of [1, 2]) expect(await deliveries.due(queue, NOW, 9)).toEqual(due);
  expect(await deliveries.due(queue, NOW, 1)).toEqual(due.slice(0, 1));
  const counts = (queues: string[], atMs: number, limit = 9) => deliveries.countDue(queues, atMs, limit);
  expect([
    await counts([queue], NOW),
    await counts([queue, other], NOW),
    await counts([queue], NOW, 1),
  ]).toEqual([...[2, 3, 1]]);
  const all = (limit: number) => deliveries.countWaiting("p", queue, limit);
  expect([await all(9), await all(2)]).toEqual([3, 2]);
  expect([await deliveries.partnerOf(other), await deliveries.partnerOf("p0050.none")]).toEqual(["q", null]);
  expect(await deliveries.queueHeads([50])).toEqual(
    expect.arrayContaining([
      { queue, claimableAt: at(-1) },
      { queue: other, claimableAt: at(-9) },
    ]),
  );
  const { attempts, createdAt, customerId, lastStatusCode, completedAt, counted, ...open } = first;
  expect([attempts, createdAt, customerId, lastStatusCode, completedAt, counted]).toBeDefined();
  const { queue: _queue, claimableAt: _at, lastFailure: _failure, ...asLoaded } = open;
  expect(await deliveries.load([first])).toEqual([asLoaded]);
  expect(await deliveries.claim([first], "mine", NOW, NOW + 5)).toEqual([{ ...asLoaded, claim: "mine" }]);
  // An attempt in flight is not due: it keeps its lease.
  const inFlight = waiting(queue, { claimableAt: at(60) });
  await store([inFlight]);
  await deliveries.putOffDue(queue, NOW, NOW + 9);
  expect(await storedDelivery(inFlight._id)).toEqual(inFlight);
  expect(await storedDelivery(second._id)).toEqual({ ...second, claimableAt: at(9), nextAttemptAt: at(9) });
  expect(await storedDelivery(foreign._id)).toEqual(foreign);
});

test("updates of deliveries: many in one statement, each its own; at the end nothing waits any more", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const queue = `p0051.${randomUUID()}`;
  const [delivered, retried, off, ended] = [1, 2, 3, 4].map(() => waiting(queue, { claim: "mine" })) as [
    ...[DeliveryRecord, DeliveryRecord, DeliveryRecord, DeliveryRecord],
  ];
  await store([delivered, retried, off, ended]);
  const ref = ({ _id, partnerId }: DeliveryRecord) => ({ deliveryId: _id, partnerId, attemptNo: 1 });
  const failed = { ...OUTCOME, ok: false, statusCode: 500, errorKind: "HttpStatus" } as const;
  await deliveries.apply([
    attempted(ref(delivered), OUTCOME, { status: "Delivered" } as never, NOW + 2),
    attempted(ref(retried), failed, { status: "Pending", nextAttemptAt: NOW + 60 }, NOW + 2),
    putOff(ref(off), NOW + 70),
    exhausted(ref(ended), NOW + 3),
  ]);
  const { ok, retryAfterMs, ...seen } = OUTCOME;
  expect([ok, retryAfterMs]).toEqual([true, null]);
  const attempt = { ...seen, attemptNo: 1, sentAt: at(1) };
  const end = ({ queue: _queue, claimableAt, claim, ...rest }: DeliveryRecord) => rest;
  expect(await storedDelivery(delivered._id)).toEqual({
    ...end(delivered),
    ...{ status: "Delivered", attemptCount: 1, lastStatusCode: 200, lastFailure: null, attempts: [attempt] },
    ...{ nextAttemptAt: null, completedAt: at(2) },
  });
  expect(await storedDelivery(retried._id)).toMatchObject({ lastStatusCode: 500, claimableAt: at(60) });
  expect(await storedDelivery(off._id)).toMatchObject({ attemptCount: 0, claimableAt: at(70) });
  expect(await storedDelivery(ended._id)).toMatchObject({ status: "Exhausted", completedAt: at(3) });
});

test("an endpoint that healed or was disabled: what waits is pulled forward or ends, so many at a time", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const queue = `p0052.${randomUUID()}`;
  const later = { nextAttemptAt: at(60), claimableAt: at(60), attemptCount: 2 };
  const retries = [waiting(queue, later), waiting(queue, later)];
  const [inHand, due, elsewhere] = [
    waiting(queue, { claimableAt: at(60) }),
    waiting(queue, { nextAttemptAt: at(60) }),
    waiting(`p0052.${randomUUID()}`, later),
  ];
  await store([...retries, inHand, due, elsewhere]);
  expect(await deliveries.pullForward([queue], NOW, 1)).toHaveLength(1);
  expect(await deliveries.pullForward([queue], NOW, 9)).toHaveLength(1);
  expect(await deliveries.pullForward([queue], NOW, 9)).toEqual([]);
  for (const retry of retries)
    expect(await storedDelivery(retry._id)).toEqual({ ...retry, nextAttemptAt: at(0), claimableAt: at(0) });
  for (const each of [inHand, due, elsewhere]) expect(await storedDelivery(each._id)).toEqual(each);

  expect(await deliveries.exhaust([queue], NOW + 4, 1, [inHand._id])).toBe(1);
  expect(await deliveries.exhaust([queue], NOW + 4, 9, [inHand._id])).toBe(2);
  expect(await deliveries.exhaust([queue], NOW + 4, 9, [inHand._id])).toBe(0);
  const [retry] = retries as [DeliveryRecord];
  const { queue: _queue, claimableAt, ...rest } = retry;
  expect(claimableAt).toEqual(at(60));
  expect(await storedDelivery(retry._id)).toEqual({
    ...rest,
    ...{ status: "Exhausted", lastFailure: expect.any(String), nextAttemptAt: null, completedAt: at(4) },
    attempts: [{ ...NOT_MADE, attemptNo: 3, sentAt: at(4) }],
  });
  for (const each of [inHand, elsewhere]) expect(await storedDelivery(each._id)).toEqual(each);
});

test("a delivery completed between search and write is neither pulled forward nor exhausted", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const collection = collectionOf(mongo.connection, COLLECTIONS.deliveries);
  const queue = `p0054.${randomUUID()}`;
  const retry = waiting(queue, { nextAttemptAt: at(60), claimableAt: at(60) });
  await store([retry]);
  const ended = { status: "Delivered", nextAttemptAt: at(70) } as const;
  const write = jest.spyOn(collection, "updateMany");
  const meanwhile = () =>
    write.mockImplementationOnce(async (...asked) => {
      await collection.updateOne({ _id: retry._id } as never, { $set: ended });
      return collection.updateMany(...asked);
    });
  meanwhile();
  await deliveries.pullForward([queue], NOW, 9);
  expect(await storedDelivery(retry._id)).toMatchObject({ ...ended, claimableAt: at(60) });
  await collection.updateOne({ _id: retry._id } as never, { $set: { status: "Pending" } });
  meanwhile();
  await deliveries.exhaust([queue], NOW, 9, []);
  expect(await storedDelivery(retry._id)).toMatchObject({ ...ended, attempts: [] });
  // Another process pulled it forward in the same millisecond, and it is in hand.
  const again = waiting(queue, { nextAttemptAt: at(60), claimableAt: at(60) });
  await store([again]);
  const inHand = { nextAttemptAt: at(0), claimableAt: at(90) };
  write.mockImplementationOnce(async (...asked) => {
    await collection.updateOne({ _id: again._id } as never, { $set: inHand });
    return collection.updateMany(...asked);
  });
  await deliveries.pullForward([queue], NOW, 9);
  write.mockRestore();
  expect(await storedDelivery(again._id)).toEqual({ ...again, ...inHand });
});

test("behind mongos: the earliest of each queue, some at a time, each asked for by its partner once known", async () => {
  const sharded = await openTestDatabase("delivery", mongo.connection.name.replace(/_delivery$/, ""));
  const client = sharded.connection.getClient();
  const db = client.db.bind(client);
  const hello = { command: async () => ({ msg: "isdbgrid" }) } as never;
  jest.spyOn(client, "db").mockImplementation((name) => (name === "admin" ? hello : db(name)));
  try {
    const deliveries = deliveryRepository(sharded.connection);
    const queues = Array.from({ length: 17 }, (_, index) => `p0055.${String(index).padStart(2, "0")}`);
    await store(queues.flatMap((queue) => [waiting(queue, { claimableAt: at(9) }), waiting(queue)]));
    await store([waiting("p0056.other")]);
    const collection = collectionOf(sharded.connection, COLLECTIONS.deliveries);
    const findOne = jest.spyOn(collection, "findOne");
    for (const isKnown of [false, true]) {
      findOne.mockClear();
      const heads = await deliveries.queueHeads([55]);
      expect(heads).toEqual(queues.map((queue) => ({ queue, claimableAt: at(0) })));
      expect(findOne.mock.calls.every(([filter]) => "partnerId" in (filter ?? {}) === isKnown)).toBe(true);
    }
    expect(await deliveries.countWaiting("p", queues[0] ?? "", 9)).toBe(2);
    expect(await deliveries.countWaiting("another", queues[0] ?? "", 9)).toBe(0);
  } finally {
    await sharded.close();
  }
});

test("attempts in flight of a dead process are due immediately, up to the end of its lease", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const queue = `p0053.${randomUUID()}`;
  const [inHand, longer, dueLong, notYet] = [
    waiting(queue, { claimableAt: at(100) }),
    waiting(queue, { claimableAt: at(101) }),
    waiting(queue, { claimableAt: at(-1) }),
    waiting(queue, { claimableAt: at(50), nextAttemptAt: at(1) }),
  ];
  await store([inHand, longer, dueLong, notYet]);
  expect(await deliveries.reclaim([53], NOW, 100)).toBe(1);
  expect(await storedDelivery(inHand._id)).toEqual({ ...inHand, claimableAt: at(0) });
  for (const each of [longer, dueLong, notYet]) expect(await storedDelivery(each._id)).toEqual(each);
});
