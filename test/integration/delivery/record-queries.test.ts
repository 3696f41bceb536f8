/** Which records each query finds and changes, at the edges of what is asked: tried on a real database. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { endpointStateModel } from "../../../services/delivery/endpoint/endpoint-state.model.ts";
import { endpointStateRepository } from "../../../services/delivery/endpoint/endpoint-state.repository.ts";
import { endpointTimesRepository } from "../../../services/delivery/endpoint/endpoint-times.repository.ts";
import { historyRepository } from "../../../services/delivery/history/history.repository.ts";
import {
  ALL_EVENT_TYPES,
  type HistoryFilter,
  parseHistoryQuery,
} from "../../../services/delivery/history/history.rules.ts";
import { skippedRepository } from "../../../services/delivery/history/skipped.repository.ts";
import { statisticsRepository } from "../../../services/delivery/history/statistics.repository.ts";
import { tallyModel } from "../../../services/delivery/history/tally.model.ts";
import { tallyRepository } from "../../../services/delivery/history/tally.repository.ts";
import { type DeliveryRecord, deliveryModel } from "../../../services/delivery/records/delivery.model.ts";
import { deliveryRepository } from "../../../services/delivery/records/delivery.repository.ts";
import { attempted, givenUp, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import { type EventRecord, eventModel } from "../../../services/delivery/records/event.model.ts";
import { eventRepository } from "../../../services/delivery/records/event.repository.ts";
import { adoptQueues } from "../../../services/delivery/records/queue-adoption.repository.ts";
import { replayRepository } from "../../../services/delivery/replay/replay.repository.ts";
import { type ReplayJob, replayJobModel } from "../../../services/delivery/replay/replay-job.model.ts";
import { DELIVERY_STATUSES } from "../../../shared/action-types/delivery.ts";
import { collectionOf, isBehindMongos, type Mongo } from "../../../shared/mongo/mongo.ts";
import { idsOf } from "../../support/builders/records.ts";
import { commandsOf } from "../../support/stage/database-commands.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (ms: number) => new Date(NOW + ms);
const TYPE = "business.profile.created";

let mongo: Mongo;
beforeAll(async () => {
  mongo = await openTestDatabase("delivery");
  const models = [eventModel, deliveryModel, tallyModel, replayJobModel];
  await Promise.all(models.map((modelOf) => modelOf(mongo.connection).createIndexes()));
  // Asked once; after that it is none of the commands that are listened to.
  await isBehindMongos(mongo.connection);
});
afterAll(() => mongo.close());

const anEvent = (given: Partial<EventRecord>): EventRecord => ({
  ...{ _id: randomUUID(), partnerId: "p", eventType: TYPE, eventVersion: 1, occurredAt: at(0) },
  ...{ customerId: null, sequence: null, envelopeJson: "{}", source: "profile", traceparent: null },
  ...{ recordedAt: at(0), endpointId: "e" },
  ...given,
});
const aDelivery = (given: Partial<DeliveryRecord>): DeliveryRecord => ({
  ...{ _id: randomUUID(), partnerId: "p", endpointId: "e", eventId: randomUUID(), eventType: TYPE },
  ...{ eventVersion: 1, occurredAt: at(0), customerId: null, replaySeries: null, createdAt: at(0) },
  ...{ status: "Delivered" as const, attemptCount: 1, attempts: [], lastStatusCode: 200 },
  ...{ nextAttemptAt: null, completedAt: at(0), counted: false, postponed: 0 },
  ...given,
});
const store = async (deliveries: readonly DeliveryRecord[]) =>
  void (await collectionOf(deliveryModel(mongo.connection)).insertMany([...deliveries]));

test("endpoint states: pauses and recoveries each for itself, by partition, forgotten when over", async () => {
  const states = endpointStateRepository(mongo.connection);
  const collection = collectionOf(endpointStateModel(mongo.connection));
  const placeOf = (endpointId: string, partition = 1) => ({ endpointId, partition });
  const byId = async (_id: string) => collection.findOne({ _id });
  await states.pause(placeOf("a"), NOW + 10_000);
  await states.pause(placeOf("a"), NOW + 5_000);
  expect(await byId("a")).toEqual({
    ...{ _id: "a", partition: 1, pausedUntil: at(10_000), recoveringSince: null },
  });
  expect([await states.pausedUntil("a"), await states.pausedUntil("none")]).toEqual([at(10_000), null]);
  await states.startRecovery(placeOf("b", 2), NOW);
  expect(await byId("b")).toEqual({ _id: "b", partition: 2, pausedUntil: null, recoveringSince: at(0) });
  await states.startRecovery(placeOf("a", 3), NOW + 1);
  expect(await byId("a")).toMatchObject({ partition: 3, pausedUntil: at(10_000), recoveringSince: at(1) });
  await states.pause(placeOf("a"), NOW + 10_000);
  expect(await byId("a")).toMatchObject({ partition: 1, recoveringSince: at(1) });
  await states.endRecovery("b");
  expect([await byId("a"), await byId("b")]).toMatchObject([
    { recoveringSince: at(1) },
    { recoveringSince: null },
  ]);
  await states.endRecovery("a");
  await states.pause(placeOf("just over"), NOW);
  await states.pause(placeOf("over elsewhere", 9), NOW);
  await states.startRecovery(placeOf("recovers", 2), NOW);
  await collection.insertOne({ _id: "old", partition: null, pausedUntil: at(1), recoveringSince: null });
  expect(idsOf(await states.current([1, 2], NOW)).toSorted()).toEqual(["a", "old", "recovers"]);
  expect(idsOf(await collection.find().toArray()).toSorted()).toEqual([
    ...["a", "old", "over elsewhere", "recovers"],
  ]);
  expect(idsOf(await states.current([7], NOW))).toEqual(["old"]);
  expect(await states.current([7], NOW + 1)).toEqual([]);
});

test.each([
  ["paused", "pause"],
  ["recovering", "startRecovery"],
] as const)(
  "an endpoint state that is over, and %s again while it is forgotten: stays",
  async (_, change) => {
    const states = endpointStateRepository(mongo.connection);
    const { collection } = endpointStateModel(mongo.connection);
    const place = { endpointId: randomUUID(), partition: 20 };
    await states.pause(place, NOW);
    const forget = jest.spyOn(collection, "deleteMany");
    forget.mockImplementationOnce(async (filter) => {
      forget.mockRestore();
      await states[change](place, NOW + 1);
      return collection.deleteMany(filter);
    });
    expect(await states.current([20], NOW)).toEqual([]);
    expect(idsOf(await states.current([20], NOW))).toEqual([place.endpointId]);
    await states.endRecovery(place.endpointId);
    expect(await states.current([20], NOW + 1)).toEqual([]);
  },
);

test("endpoint times: the latest of each endpoint stay, whoever stores them", async () => {
  const times = endpointTimesRepository(mongo.connection);
  await times.store(
    new Map([
      ["a", { lastSuccessAt: at(5), lastFailureAt: at(1) }],
      ["b", { lastSuccessAt: at(1), lastFailureAt: at(1) }],
    ]),
  );
  await times.store(new Map([["a", { lastSuccessAt: at(4), lastFailureAt: at(2) }]]));
  expect(await times.find("a")).toEqual({ _id: "a", lastSuccessAt: at(5), lastFailureAt: at(2) });
  expect(await times.find("b")).toMatchObject({ lastSuccessAt: at(1) });
  expect(await times.find("none")).toBeNull();
});

const NOT_MADE = { statusCode: null, responseExcerpt: null, durationMs: 0, errorKind: "EndpointDisabled" };
const WAITING = { status: "Pending", attemptCount: 0, lastStatusCode: null, completedAt: null } as const;
const OUTCOME = {
  ...{ ok: true, statusCode: 200, errorKind: null, responseExcerpt: "$fine", durationMs: 7 },
  ...{ sentAt: at(1).toISOString(), retryAfterMs: null },
};
const waiting = (queue: string, given: Partial<DeliveryRecord> = {}): DeliveryRecord =>
  aDelivery({ ...WAITING, queue, nextAttemptAt: at(0), claimableAt: at(0), ...given });
const storedDelivery = (_id: string) => collectionOf(deliveryModel(mongo.connection)).findOne({ _id });

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
  const { queue: _queue, claimableAt: _at, ...asLoaded } = open;
  expect(await deliveries.load([first])).toEqual([asLoaded]);
  expect(await deliveries.load([{ ...first, partnerId: "another" }])).toEqual([]);
  expect(await deliveries.claim([first], "mine", NOW, NOW + 5)).toEqual([{ ...asLoaded, claim: "mine" }]);
  await deliveries.putOffDue(queue, NOW, NOW + 9);
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
    putOff(ref(off), off, NOW + 70),
    givenUp(ref(ended), NOW + 3),
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
  const { claim, ...unclaimed } = retried;
  expect(claim).toBe("mine");
  expect(await storedDelivery(retried._id)).toEqual({
    ...unclaimed,
    ...{ attemptCount: 1, lastStatusCode: 500, lastFailure: expect.any(String) },
    ...{ attempts: [{ ...attempt, statusCode: 500, errorKind: "HttpStatus" }] },
    ...{ nextAttemptAt: at(60), claimableAt: at(60) },
  });
  const alone = waiting(queue);
  await store([alone]);
  await deliveries.apply([givenUp(ref(alone), NOW)]);
  expect(await storedDelivery(alone._id)).not.toHaveProperty("queue");
  expect(await storedDelivery(off._id)).toMatchObject({ postponed: 1, claimableAt: at(70), attempts: [] });
  expect(await storedDelivery(off._id)).not.toHaveProperty("claim");
  expect(await storedDelivery(ended._id)).toEqual({
    ...end(ended),
    ...{ status: "Exhausted", lastFailure: expect.any(String), nextAttemptAt: null, completedAt: at(3) },
    attempts: [{ ...NOT_MADE, attemptNo: 1, sentAt: at(3) }],
  });
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

  expect(await deliveries.giveUp([queue], NOW + 4, 1, [inHand._id])).toBe(1);
  expect(await deliveries.giveUp([queue], NOW + 4, 9, [inHand._id])).toBe(2);
  expect(await deliveries.giveUp([queue], NOW + 4, 9, [inHand._id])).toBe(0);
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

test("one that is delivered between the search and the write: neither pulled forward nor given up", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const { collection } = deliveryModel(mongo.connection);
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
  await deliveries.giveUp([queue], NOW, 9, []);
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
    const { collection } = deliveryModel(sharded.connection);
    const findOne = jest.spyOn(collection, "findOne");
    for (const isKnown of [false, true]) {
      findOne.mockClear();
      const heads = await deliveries.queueHeads([55]);
      expect(heads).toEqual(queues.map((queue) => ({ queue, claimableAt: at(0) })));
      expect(findOne.mock.calls.every(([filter]) => "partnerId" in (filter ?? {}) === isKnown)).toBe(true);
    }
    expect(await commandsOf(sharded, () => deliveries.queueHeads([56]))).toMatchObject([
      { distinct: "deliveries", key: "queue" },
      { projection: { partnerId: 1, claimableAt: 1 }, sort: { claimableAt: 1 }, hint: "waiting" },
    ]);
    expect(await deliveries.countWaiting("p", queues[0] ?? "", 9)).toBe(2);
    expect(await deliveries.countWaiting("another", queues[0] ?? "", 9)).toBe(0);
  } finally {
    await sharded.close();
  }
});

test("what a process that died had in hand: due at once, up to the end of its lease and no further", async () => {
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

test("events: their routes, contents and feed, each of its own partner", async () => {
  const events = eventRepository(mongo.connection);
  const partnerId = randomUUID();
  const [one, two, three] = ["1", "2", "3"].map((id, index) =>
    anEvent({ _id: `${partnerId}/${id}`, partnerId, recordedAt: at(index * 1_000), traceparent: `t${id}` }),
  ) as [EventRecord, EventRecord, EventRecord];
  const unrouted = anEvent({ partnerId, recordedAt: at(3_000), endpointId: null });
  const emptied = anEvent({ partnerId, recordedAt: at(3_000), endpointId: null, envelopeJson: null });
  const foreign = anEvent({ partnerId: randomUUID(), recordedAt: at(1_000) });
  const all = [one, two, three, unrouted, emptied, foreign];
  expect((await events.record(all)).size).toBe(0);
  expect([...(await events.record([foreign, { ...one, endpointId: "other" }])).keys()]).toEqual([0, 1]);
  expect(await events.routes([one, unrouted])).toEqual(
    new Map([
      [one._id, "e"],
      [unrouted._id, null],
    ]),
  );
  expect(await events.contents([two])).toEqual([
    { _id: two._id, envelopeJson: "{}", traceparent: two.traceparent },
  ]);
  expect(await events.find(partnerId, one._id)).toEqual(one);
  expect(await events.find("another", one._id)).toBeNull();

  const feed = async (id: string, atMs: number, untilMs: number, limit = 9) =>
    events.feed(partnerId, { at: at(atMs), id }, at(untilMs), limit);
  expect(await feed("", 0, 2_000)).toEqual(
    [one, two, three].map(({ _id, recordedAt }) => ({ _id, recordedAt, envelopeJson: "{}" })),
  );
  expect(idsOf(await feed(one._id, 0, 9_000))).toEqual([two._id, three._id, unrouted._id]);
  expect(idsOf(await feed("", 1, 1_999))).toEqual([two._id]);
  expect(idsOf(await feed("", 0, 9_000, 2))).toEqual([one._id, two._id]);

  expect(await events.unroutedPartners()).toContain(partnerId);
  expect(await events.unroutedPartners()).not.toContain(foreign.partnerId);
  const unroutedIn = async (fromMs: number, beforeMs: number) =>
    events.unrouted(partnerId, { from: at(fromMs), before: at(beforeMs) }, 9);
  expect(await unroutedIn(3_000, 3_001)).toEqual([
    {
      ...{ _id: unrouted._id, partnerId, customerId: null, eventType: TYPE, eventVersion: 1 },
      occurredAt: at(0),
    },
  ]);
  expect([await unroutedIn(3_001, 9_000), await unroutedIn(0, 3_000)]).toEqual([[], []]);
  const [older, young] = [at(2_500), at(2_600)].map((recordedAt) =>
    anEvent({ partnerId, recordedAt, endpointId: null }),
  ) as [EventRecord, EventRecord];
  await events.record([young, older]);
  const oldest = await events.unrouted(partnerId, { from: at(0), before: at(9_000) }, 2);
  expect(idsOf(oldest)).toEqual([older._id, young._id]);

  expect(await events.route([one, unrouted], "late")).toBe(1);
  expect(await events.routes([one, unrouted])).toEqual(
    new Map([
      [one._id, "e"],
      [unrouted._id, "late"],
    ]),
  );
});

const aJob = (given: Partial<ReplayJob>): ReplayJob => ({
  ...{ _id: randomUUID(), partnerId: randomUUID(), number: 1, endpointId: "e", from: at(0), to: at(1_000) },
  ...{ eventTypes: [TYPE], status: null, includeUnrouted: false, askedAt: at(2_000), cursor: null },
  ...{ created: 0, expected: 0, claimableAt: at(0), claim: null, finishedAt: null },
  ...given,
});

test("replays: of their own partner, the newest first; a stop ends one that is not finished", async () => {
  const replays = replayRepository(mongo.connection);
  const jobs = collectionOf(replayJobModel(mongo.connection));
  const [one, two] = [aJob({ claimableAt: at(5) }), aJob({ number: 2, claimableAt: at(4) })];
  two.partnerId = one.partnerId;
  const early = aJob({ number: 0, partnerId: one.partnerId, claimableAt: at(6) });
  const foreign = aJob({ number: 7, claimableAt: null });
  const inTime = performance.now() + 60_000;
  for (const job of [one, two, early, foreign]) expect(await replays.add(job, inTime)).toBe(true);
  expect(await replays.add({ ...two, _id: randomUUID() }, inTime)).toBe(false);
  expect(await replays.last(one.partnerId)).toEqual(two);
  const [first, ofBefore] = [aJob({ claimableAt: null }), aJob({ number: 0, claimableAt: null })];
  for (const job of [first, ofBefore]) await replays.add(job, inTime);
  expect([await replays.last(first.partnerId), await replays.last(ofBefore.partnerId)]).toEqual([
    first,
    null,
  ]);
  expect(await replays.list(one.partnerId, 9)).toEqual([two, one]);
  expect(await replays.list(one.partnerId, 1)).toEqual([two]);
  expect(await replays.find(one.partnerId, one._id)).toEqual(one);
  expect(await replays.find(foreign.partnerId, one._id)).toBeNull();

  expect(await replays.claim("me", NOW + 3, NOW + 9)).toBeNull();
  const claimed = await replays.claim("me", NOW + 5, NOW + 9);
  expect(claimed).toEqual({ ...two, claim: "me", claimableAt: at(9) });
  const stop = (_id: string) =>
    mongo.connection.transaction((session) => replays.stop(_id, NOW + 8, session));
  expect([await stop(two._id), await stop(two._id), await stop("none")]).toEqual([true, false, false]);
  const stopped = { ...two, finishedAt: at(8), isStopped: true, claimableAt: null, claim: null };
  expect(await jobs.findOne({ _id: two._id })).toEqual(stopped);
  expect(await replays.advance({ ...two, claim: "me" }, null, 1, NOW)).toBe(false);
  expect(await replays.claim("me", NOW + 5, NOW + 9)).toMatchObject({ _id: one._id });
  await replays.finish({ ...one, claim: "me" }, NOW + 7);
  expect(await jobs.findOne({ _id: one._id })).toMatchObject({ claimableAt: null, finishedAt: at(7) });

  const [series, partnerId] = [randomUUID(), randomUUID()];
  const statuses = ["Pending", "Delivered", "Delivered", "Exhausted", "Exhausted", "Exhausted"] as const;
  await store(statuses.map((status) => aDelivery({ partnerId, status, replaySeries: series })));
  await store([aDelivery({ partnerId, replaySeries: randomUUID() })]);
  expect(await replays.progress({ _id: series, partnerId })).toEqual({
    pending: 1,
    delivered: 2,
    exhausted: 3,
  });
});

test("the events of a replay: those of its window and types that were known and sent, behind its cursor", async () => {
  const replays = replayRepository(mongo.connection);
  const selection = aJob({});
  const { partnerId } = selection;
  const event = (name: string, given: Partial<EventRecord>) =>
    anEvent({ _id: `${partnerId}/${name}`, partnerId, ...given });
  const wanted = [
    event("1", { occurredAt: at(0) }),
    event("2", { occurredAt: at(500) }),
    event("3", { occurredAt: at(500) }),
    event("4", { occurredAt: at(1_000), recordedAt: at(2_000) }),
  ];
  const unrouted = event("5", { occurredAt: at(1_000), endpointId: null });
  await eventRepository(mongo.connection).record([
    ...wanted,
    unrouted,
    event("before", { occurredAt: at(-1) }),
    event("after", { occurredAt: at(1_001) }),
    event("another type", { eventType: "webhook.test", occurredAt: at(1) }),
    event("recorded later", { occurredAt: at(1), recordedAt: at(2_001) }),
    anEvent({ occurredAt: at(1), partnerId: randomUUID() }),
  ]);
  const found = async (cursor: ReplayJob["cursor"] = null, limit = 9, also: Partial<ReplayJob> = {}) =>
    idsOf(await replays.eventsAfter({ ...selection, ...also }, cursor, limit)).map((id) => id.split("/")[1]);
  expect(await found()).toEqual(["1", "2", "3", "4"]);
  expect(await found(null, 2)).toEqual(["1", "2"]);
  expect(await found({ occurredAt: at(500), eventId: `${partnerId}/2` })).toEqual(["3", "4"]);
  expect(await found({ occurredAt: at(500), eventId: `${partnerId}/3` })).toEqual(["4"]);
  expect(await found(null, 9, { includeUnrouted: true })).toEqual(["1", "2", "3", "4", "5"]);
  expect([
    await replays.count(selection),
    await replays.count({ ...selection, includeUnrouted: true }),
  ]).toEqual([4, 5]);
  expect(Object.keys((await replays.eventsAfter(selection, null, 1))[0] ?? {}).toSorted()).toEqual([
    ...["_id", "customerId", "eventType", "eventVersion", "occurredAt", "partnerId"],
  ]);

  const first = aDelivery({ partnerId, eventId: "one", occurredAt: at(0), counted: true });
  const last = aDelivery({ partnerId, eventId: "two", occurredAt: at(9), status: "Pending" });
  await store([first, last]);
  await store([
    aDelivery({ partnerId, occurredAt: at(-1) }),
    aDelivery({ partnerId, occurredAt: at(10) }),
    aDelivery({ partnerId, occurredAt: at(1), eventType: "webhook.test" }),
    aDelivery({ partnerId: randomUUID(), occurredAt: at(1) }),
  ]);
  const past = await replays.deliveriesOf(selection, at(0), at(9));
  expect(past.toSorted((a, b) => a.eventId.localeCompare(b.eventId))).toEqual(
    [first, last].map(({ eventId, createdAt, status, completedAt }) => ({
      ...{ eventId, createdAt, status, completedAt },
    })),
  );
});

test("what was not sent because the endpoint was disabled: never planned, or given up then", async () => {
  const skipped = skippedRepository(mongo.connection);
  const partnerId = randomUUID();
  const since = at(0);
  expect(await skipped.since(partnerId, since)).toEqual({ count: 0, oldest: null });
  const limit = at(-5 * DAY_MS);
  const ofPartner = (given: Partial<EventRecord>) => anEvent({ partnerId, endpointId: null, ...given });
  await eventRepository(mongo.connection).record([
    ofPartner({ occurredAt: at(-3) }),
    ofPartner({ occurredAt: at(-4) }),
    ofPartner({ occurredAt: at(-7), recordedAt: at(-1) }),
    ofPartner({ occurredAt: new Date(limit.getTime() - 1) }),
    ofPartner({ occurredAt: at(-8), endpointId: "e" }),
    anEvent({ partnerId: randomUUID(), endpointId: null, occurredAt: at(-9) }),
  ]);
  expect(await skipped.since(partnerId, since)).toEqual({ count: 2, oldest: at(-4) });
  const attempts = [
    { attemptNo: 1, sentAt: at(0), statusCode: null, responseExcerpt: null, durationMs: 0 },
  ].map((attempt) => ({ ...attempt, errorKind: "EndpointDisabled" as const }));
  const given = { partnerId, status: "Exhausted", attempts } as const;
  await store([
    aDelivery({ ...given, occurredAt: at(-5), counted: true }),
    aDelivery({ ...given, occurredAt: limit }),
    aDelivery({ ...given, occurredAt: at(-9), completedAt: at(-1) }),
    aDelivery({ ...given, occurredAt: new Date(limit.getTime() - 1) }),
    aDelivery({ ...given, occurredAt: at(-9), attempts: [] }),
    aDelivery({ ...given, occurredAt: at(-9), status: "Pending" }),
    aDelivery({ ...given, occurredAt: at(-9), partnerId: randomUUID() }),
  ]);
  expect(await skipped.since(partnerId, since)).toEqual({ count: 4, oldest: limit });
  await eventRepository(mongo.connection).record([ofPartner({ occurredAt: limit })]);
  expect((await skipped.since(partnerId, since)).count).toBe(5);
});

test("tallies: the oldest finished ones move in, and pages, totals and counts by hour and day stay the same", async () => {
  const [history, tallies] = [historyRepository(mongo.connection), tallyRepository(mongo.connection)];
  const statistics = statisticsRepository(mongo.connection);
  const partnerId = randomUUID();
  const midnight = Date.parse("2026-03-01T00:00:00.000Z");
  const moments = [-DAY_MS, -1, 0, HOUR_MS, HOUR_MS + 1, 3 * HOUR_MS].map((ms) => new Date(midnight + ms));
  const finished = moments.map((occurredAt, index) =>
    aDelivery({
      _id: `${partnerId}/${index}`,
      partnerId,
      occurredAt,
      status: index === 2 ? "Exhausted" : "Delivered",
    }),
  );
  const pending = aDelivery({ _id: `${partnerId}/p`, partnerId, occurredAt: at(0), status: "Pending" });
  const foreign = [0, HOUR_MS].map((ms) =>
    aDelivery({ partnerId: `${partnerId}-other`, occurredAt: new Date(midnight + ms) }),
  );
  await store([...finished, pending, ...foreign]);
  await tallies.count(`${partnerId}-other`, 1);

  const whole = parseHistoryQuery({});
  const from = (ms: number) => ({ ...whole, from: new Date(midnight + ms) });
  const delivered: HistoryFilter = { ...whole, statuses: ["Delivered"] };
  const afternoon = { ...whole, from: new Date(midnight + HOUR_MS), to: new Date(midnight + 3 * HOUR_MS) };
  const moment = { ...whole, from: new Date(midnight + HOUR_MS + 1), to: new Date(midnight + HOUR_MS + 1) };
  const filters = [whole, delivered, from(0), from(1), from(HOUR_MS + 1), afternoon, moment];
  const totals = () => Promise.all(filters.map((filter) => history.total(partnerId, filter)));
  const countsBy = async (interval: "hour" | "day", ms: number) => {
    const range = { interval, from: new Date(midnight), before: new Date(midnight + ms) };
    const rows = await statistics.count(partnerId, range);
    const sums = new Map<string, number>();
    for (const row of rows) {
      const key = `${row.at.toISOString().slice(0, 13)} ${row.status}`;
      sums.set(key, (sums.get(key) ?? 0) + row.count);
    }
    return Object.fromEntries([...sums].filter(([, count]) => count > 0).toSorted());
  };
  const byHour = { "2026-03-01T00 Exhausted": 1, "2026-03-01T01 Delivered": 2 };
  const byDay = {
    ...{ "2026-03-01T00 Delivered": 3, "2026-03-01T00 Exhausted": 1, "2026-03-01T00 Pending": 1 },
  };
  const firstHour = { interval: "hour", from: new Date(midnight), before: new Date(midnight + 1) } as const;
  expect(await statistics.count(partnerId, firstHour)).toEqual([
    { at: new Date(midnight), status: "Exhausted", count: 1 },
  ]);
  const page = async (skip: number, limit: number, after: { at: Date; id: string } | null = null) =>
    history.page(partnerId, whole, { skip, after }, limit);
  const newestFirst = ["p", "5", "4", "3", "2", "1", "0"].map((id) => `${partnerId}/${id}`);

  for (const limit of [0, 1, 4, 9]) {
    if (limit > 0) await tallies.count(partnerId, limit);
    expect(await totals()).toEqual([7, 5, 5, 4, 3, 3, 1]);
    expect(await countsBy("hour", 3 * HOUR_MS)).toEqual(byHour);
    expect(await countsBy("day", DAY_MS)).toEqual(byDay);
    expect(idsOf(await page(0, 9))).toEqual(newestFirst);
    expect(idsOf(await page(2, 3))).toEqual(newestFirst.slice(2, 5));
    expect(idsOf(await page(1, 2))).toEqual(newestFirst.slice(1, 3));
  }
  expect(await tallies.uncounted(partnerId, 9)).toBe(0);
  expect(idsOf(await page(0, 2, { at: moments[3] as Date, id: finished[3]?._id ?? "" }))).toEqual(
    newestFirst.slice(4, 6),
  );
  const [newest] = await page(0, 1);
  const { attempts, ...withoutAttempts } = pending;
  expect([newest, attempts]).toEqual([withoutAttempts, []]);
  expect((await page(1, 1))[0]).not.toHaveProperty("attempts");
  expect(await history.find(partnerId, pending._id)).toEqual(pending);
  expect(await history.find("another", pending._id)).toBeNull();
  expect(await tallies.partners()).toContain(partnerId);
  const one = { ...whole, eventId: pending.eventId };
  expect([
    await history.total(partnerId, one),
    await history.total(partnerId, { ...one, statuses: [] }),
  ]).toEqual([1, 0]);
});

test("tallies: so many at a time, the oldest first, in the days and hours they belong to", async () => {
  const tallies = tallyRepository(mongo.connection);
  const partnerId = randomUUID();
  const deliveries = [0, 1, 2].map((index) =>
    aDelivery({ _id: `${partnerId}/${index}`, partnerId, occurredAt: at(index * HOUR_MS) }),
  );
  await store(deliveries.toReversed());
  expect([await tallies.uncounted(partnerId, 9), await tallies.uncounted(partnerId, 2)]).toEqual([3, 2]);
  const marks = jest.spyOn(deliveryModel(mongo.connection).collection, "updateMany");
  let isMarked = false;
  marks.mockImplementationOnce(async (...asked) => {
    const marked = await deliveryModel(mongo.connection).collection.updateMany(...asked);
    isMarked = true;
    return marked;
  });
  const write = jest.spyOn(tallyModel(mongo.connection).collection, "bulkWrite");
  write.mockImplementationOnce((...asked) => {
    // One after the other, as operations of a transaction must be.
    expect(isMarked).toBe(true);
    return tallyModel(mongo.connection).collection.bulkWrite(...asked);
  });
  expect(await tallies.count(partnerId, 2)).toBe(2);
  marks.mockRestore();
  write.mockRestore();
  const collection = collectionOf(deliveryModel(mongo.connection));
  const open = await collection.find({ partnerId, counted: false }).toArray();
  expect(idsOf(open)).toEqual([`${partnerId}/2`]);
  const stored = await collectionOf(tallyModel(mongo.connection))
    .find({ partnerId })
    .sort({ _id: 1 })
    .toArray();
  const counts = (count: number) => ({ "Delivered:business/profile/created": count });
  const day = new Date("2026-03-01T00:00:00.000Z");
  expect(stored).toEqual([
    { _id: `${partnerId}/all/`, partnerId, kind: "all", at: null, counts: counts(2) },
    { _id: `${partnerId}/day/${day.toISOString()}`, partnerId, kind: "day", at: day, counts: counts(2) },
    ...[0, HOUR_MS].map((ms) => ({
      ...{ _id: `${partnerId}/hour/${at(ms).toISOString()}`, partnerId, kind: "hour", at: at(ms) },
      counts: counts(1),
    })),
  ]);
  expect([await tallies.count(partnerId, 9), await tallies.count(partnerId, 9)]).toEqual([1, 0]);
});

test("a page of the history: of one moment the greatest id first; its session has ended when it is answered", async () => {
  const history = historyRepository(mongo.connection);
  const partnerId = randomUUID();
  const statuses = ["Exhausted", "Pending", "Delivered", "Exhausted"] as const;
  const ids = statuses.map((_, index) => `${partnerId}/${index}`);
  await store(statuses.map((status, index) => aDelivery({ _id: ids[index] ?? "", partnerId, status })));
  const start = mongo.connection.startSession.bind(mongo.connection);
  const ended: boolean[] = [];
  const startSession = jest.spyOn(mongo.connection, "startSession");
  startSession.mockImplementation(async (...asked) => {
    const session = await start(...asked);
    const end = session.endSession.bind(session);
    session.endSession = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await end();
      ended.push(session.hasEnded);
    };
    return session;
  });
  const page = async (skip: number) =>
    idsOf(await history.page(partnerId, parseHistoryQuery({}), { skip, after: null }, 9));
  expect([await page(0), ended]).toEqual([ids.toReversed(), [true]]);
  expect([await page(1), ended]).toEqual([ids.toReversed().slice(1), [true, true]]);
  startSession.mockRestore();
});

test("in time: an event and a delivery are stored once, and the second is told", async () => {
  const [events, deliveries] = [eventRepository(mongo.connection), deliveryRepository(mongo.connection)];
  const inTime = performance.now() + 60_000;
  const [event, delivery] = [anEvent({}), aDelivery({})];
  for (const isNew of [true, false]) {
    expect(await events.recordInTime(event, inTime)).toBe(isNew);
    expect(await deliveries.insertInTime(delivery, inTime)).toBe(isNew);
  }
  expect([await events.find("p", event._id), await storedDelivery(delivery._id)]).toEqual([event, delivery]);
});

test("who has a queue is remembered when something is due in it", async () => {
  const deliveries = deliveryRepository(mongo.connection);
  const queue = `p0057.${randomUUID()}`;
  await store([waiting(queue)]);
  const due = { find: "deliveries", sort: { claimableAt: 1 }, hint: "waiting", projection: { partnerId: 1 } };
  const asked = () => commandsOf(mongo, () => deliveries.due(queue, NOW, 9));
  expect([await asked(), await asked()]).toMatchObject([
    [{ ...due, filter: { queue } }],
    [{ ...due, filter: { queue, partnerId: "p" } }],
  ]);
});

test("queues of a release before: a thousand deliveries at a time, only those that were read and still wait there", async () => {
  const old = waiting(`0${randomUUID()}`, { partnerId: randomUUID() });
  await store([old]);
  const { _id, partnerId, queue } = old;
  expect(await commandsOf(mongo, () => adoptQueues(mongo.connection, 64))).toMatchObject([
    { projection: { queue: 1, partnerId: 1, endpointId: 1, replaySeries: 1 }, limit: 1_000 },
    { updates: [{ q: { _id: { $in: [_id] }, partnerId, queue }, hint: { _id: 1 } }] },
  ]);
});

test("a tally: what it counts is found, marked and added in one transaction", async () => {
  const partnerId = randomUUID();
  await store([aDelivery({ partnerId })]);
  const within = { autocommit: false };
  const count = () => tallyRepository(mongo.connection).count(partnerId, 9);
  expect(await commandsOf(mongo, count)).toMatchObject([
    {
      ...{ find: "deliveries", filter: { eventType: { $in: [...ALL_EVENT_TYPES] } }, ...within },
      ...{ projection: { partnerId: 1, status: 1, eventType: 1, occurredAt: 1 } },
      sort: { occurredAt: 1, _id: 1 },
    },
    { update: "deliveries", ...within },
    { update: "delivery_tallies", ...within },
    { commitTransaction: 1 },
  ]);
});

describe("what the database is asked for", () => {
  const events = () => eventRepository(mongo.connection);
  const deliveries = () => deliveryRepository(mongo.connection);
  const history = () => historyRepository(mongo.connection);
  const replays = () => replayRepository(mongo.connection);
  const SNAPSHOT = { readConcern: { level: "snapshot" } };
  const SORTED = { sort: { occurredAt: -1, _id: -1 } };
  const TYPES = { eventType: { $in: [...ALL_EVENT_TYPES] } };
  const whole = parseHistoryQuery({});
  const page = (skip: number) => history().page("p", whole, { skip, after: null }, 2);
  const someOf = (...asked: object[]) =>
    expect.arrayContaining(asked.map((each) => expect.objectContaining(each))) as unknown as object[];
  const givenUp = expect.objectContaining({ counted: { $in: [true, false] }, ...TYPES });

  test.each<[string, () => Promise<unknown>, object[]]>([
    [
      "a first page",
      () => page(0),
      [{ find: "deliveries", hint: "history", projection: { attempts: 0 }, ...SNAPSHOT, ...SORTED }],
    ],
    [
      "a later page: keys, then its documents as they were at the same time",
      () => page(1),
      [
        { skip: 1, limit: 2, hint: "history", projection: { _id: 1 }, ...SNAPSHOT, ...SORTED },
        {
          filter: { _id: { $in: expect.anything() }, partnerId: "p" },
          readConcern: { level: "snapshot", atClusterTime: expect.anything() },
        },
      ],
    ],
    [
      "a total, of the tallies too",
      () => history().total("p", whole),
      [{ aggregate: "deliveries", ...SNAPSHOT, pipeline: someOf({ $unionWith: expect.anything() }) }],
    ],
    [
      "a total that no tally knows",
      () => history().total("p", { ...whole, customerId: "c" }),
      [{ aggregate: "deliveries", hint: "customer" }],
    ],
    [
      "what was skipped, by the index of the history",
      () => skippedRepository(mongo.connection).since("p", at(0)),
      someOf(
        { find: "deliveries", filter: givenUp, projection: { occurredAt: 1 } },
        { find: "events", projection: { occurredAt: 1 } },
      ),
    ],
    [
      "counts by hour",
      () =>
        statisticsRepository(mongo.connection).count("p", { interval: "hour", from: at(0), before: at(1) }),
      [
        {
          ...{ hint: "history", ...SNAPSHOT },
          pipeline: [
            { $match: { status: { $in: [...DELIVERY_STATUSES] }, ...TYPES } },
            ...[{}, {}],
            { $unionWith: { pipeline: [{}, { $project: { _id: 0, at: 1, counts: 1 } }] } },
          ],
        },
      ],
    ],
    [
      "put off",
      () => deliveries().putOffDue("none", NOW, NOW),
      [{ updates: [{ hint: "waiting", multi: true }] }],
    ],
    ["how many wait", () => deliveries().countWaiting("p", "none", 9), [{ hint: "waiting" }]],
    [
      "whose queue",
      () => deliveries().partnerOf("none"),
      [{ hint: "waiting", projection: { partnerId: 1 } }],
    ],
    ["nothing to pull forward", () => deliveries().pullForward(["none"], NOW, 9), [{ find: "deliveries" }]],
    ["nothing to give up", () => deliveries().giveUp(["none"], NOW, 9, []), [{ find: "deliveries" }]],
    [
      "the heads of queues",
      () => deliveries().queueHeads([99]),
      [{ pipeline: [{}, { $sort: { queue: 1, claimableAt: 1 } }, {}] }],
    ],
    ["routes", () => events().routes([]), [{ projection: { endpointId: 1 } }]],
    [
      "partners with events that were sent nowhere",
      () => events().unroutedPartners(),
      [{ hint: "unrouted", pipeline: [{ $match: { endpointId: null, partnerId: { $gt: "" } } }, {}] }],
    ],
    [
      "events that were sent nowhere",
      () => events().unrouted("p", { from: at(0), before: at(1) }, 9),
      [{ hint: "unrouted", sort: { recordedAt: 1 } }],
    ],
    [
      "the feed",
      () => events().feed("p", { at: at(0), id: "" }, at(1), 9),
      [{ hint: "feed", sort: { recordedAt: 1, _id: 1 } }],
    ],
    [
      "endpoint times, each whatever becomes of the others",
      () =>
        endpointTimesRepository(mongo.connection).store(
          new Map([["x", { lastSuccessAt: at(0), lastFailureAt: at(0) }]]),
        ),
      [{ update: "endpoint_times", ordered: false }],
    ],
    ["a replay to work on", () => replays().claim("me", 0, 1), [{ sort: { claimableAt: 1 } }]],
    [
      "a stop, in the transaction of its audit",
      () => mongo.connection.transaction((session) => replays().stop("none", NOW, session)),
      [{ update: "replay_jobs", autocommit: false }, { commitTransaction: 1 }],
    ],
    [
      "how far a replay is",
      () => replays().progress({ _id: "none", partnerId: "p" }),
      [{ hint: "series" }, { hint: "series" }, { hint: "series" }],
    ],
    [
      "the events of a replay",
      () => replays().eventsAfter(aJob({}), null, 9),
      [{ sort: { occurredAt: 1, _id: 1 } }],
    ],
    [
      "deliveries before a replay, by the index of the history",
      () => replays().deliveriesOf(aJob({}), at(0), at(1)),
      [{ filter: { counted: { $in: [true, false] }, status: { $in: [...DELIVERY_STATUSES] } } }],
    ],
  ])("%s", async (_, act, asked) => {
    expect(await commandsOf(mongo, act)).toMatchObject(asked);
  });
});
