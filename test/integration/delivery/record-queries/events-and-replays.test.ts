import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../../services/delivery/collections.ts";
import type { DeliveryRecord } from "../../../../services/delivery/records/delivery.model.ts";
import type { EventRecord } from "../../../../services/delivery/records/event.model.ts";
import { eventRepository } from "../../../../services/delivery/records/event.repository.ts";
import type { FeedPosition } from "../../../../services/delivery/records/feed-position.rules.ts";
import { replayRepository } from "../../../../services/delivery/replay/replay.repository.ts";
import type { ReplayJob } from "../../../../services/delivery/replay/replay-job.model.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import {
  aDelivery,
  aJob,
  anEvent,
  at,
  HOUR_MS,
  NOW,
  TYPE,
} from "../../../support/builders/delivery-records.ts";
import { idsOf } from "../../../support/builders/records.ts";
import { databaseOfFile } from "../../../support/stage/test-database.ts";

const mongo = databaseOfFile("delivery", COLLECTIONS);
const store = (deliveries: readonly DeliveryRecord[]) =>
  collectionOf(mongo.connection, COLLECTIONS.deliveries).insertMany([...deliveries]);

test("events: their routes, contents and feed, each of its own partner", async () => {
  const events = eventRepository(mongo.connection);
  const partnerId = randomUUID();
  const [one, two, three] = ["1", "2", "3"].map((id, index) =>
    anEvent({ _id: `${partnerId}/${id}`, partnerId, recordedAt: at(index * 1_000), traceparent: `t${id}` }),
  ) as [EventRecord, EventRecord, EventRecord];
  const unrouted = anEvent({ partnerId, recordedAt: at(3_000), endpointId: null });
  const foreign = anEvent({ partnerId: randomUUID(), recordedAt: at(1_000) });
  const all = [one, two, three, unrouted, foreign];
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
  expect(await events.find(partnerId, one._id)).toMatchObject(one);

  const feed = (after: FeedPosition, limit = 9) => events.feed(partnerId, after, 0, limit);
  const page = await feed({ at: { t: 0, i: 0 }, id: "" });
  expect(page.map(({ id }) => id)).toEqual([one, two, three, unrouted].map(({ _id }) => _id));
  expect(page.map(({ envelopeJson }) => envelopeJson)).toEqual(["{}", "{}", "{}", "{}"]);
  const [first, second] = page as unknown as [FeedPosition, FeedPosition];
  expect((await feed(first)).map(({ id }) => id)).toEqual([two._id, three._id, unrouted._id]);
  expect((await feed(second, 1)).map(({ id }) => id)).toEqual([three._id]);
  expect(await events.feed(partnerId, { at: { t: 0, i: 0 }, id: "" }, HOUR_MS, 9)).toEqual([]);

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
});

test("replays: of their own partner, the newest first; claimed the longest due first", async () => {
  const replays = replayRepository(mongo.connection);
  const [one, two] = [aJob({ claimableAt: at(5) }), aJob({ number: 2, claimableAt: at(4) })];
  two.partnerId = one.partnerId;
  const foreign = aJob({ number: 7, claimableAt: null });
  for (const job of [one, two, foreign]) expect(await replays.add(job)).toBe(true);
  expect(await replays.add({ ...two, _id: randomUUID() })).toBe(false);
  expect(await replays.last(one.partnerId)).toEqual(two);
  expect(await replays.list(one.partnerId, 9)).toEqual([two, one]);
  expect(await replays.list(one.partnerId, 1)).toEqual([two]);
  expect(await replays.find(one.partnerId, one._id)).toEqual(one);

  expect(await replays.claim("me", NOW + 5, NOW + 9)).toMatchObject({ _id: two._id });
  expect(await replays.claim("me", NOW + 5, NOW + 9)).toMatchObject({ _id: one._id });

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
