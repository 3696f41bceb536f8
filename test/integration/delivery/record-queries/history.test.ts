import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../../services/delivery/collections.ts";
import { historyRepository } from "../../../../services/delivery/history/history.repository.ts";
import {
  type HistoryFilter,
  parseHistoryQuery,
} from "../../../../services/delivery/history/history.rules.ts";
import { skippedRepository } from "../../../../services/delivery/history/skipped.repository.ts";
import { statisticsRepository } from "../../../../services/delivery/history/statistics.repository.ts";
import { tallyRepository } from "../../../../services/delivery/history/tally.repository.ts";
import type { DeliveryRecord } from "../../../../services/delivery/records/delivery.model.ts";
import type { EventRecord } from "../../../../services/delivery/records/event.model.ts";
import { eventRepository } from "../../../../services/delivery/records/event.repository.ts";
import { collectionOf } from "../../../../shared/mongo/mongo.ts";
import {
  aDelivery,
  anEvent,
  at,
  DAY_MS,
  HOUR_MS,
  MIDNIGHT,
} from "../../../support/builders/delivery-records.ts";
import { idsOf } from "../../../support/builders/records.ts";
import { databaseOfFile } from "../../../support/stage/test-database.ts";

const mongo = databaseOfFile("delivery", COLLECTIONS);
const store = (deliveries: readonly DeliveryRecord[]) =>
  collectionOf(mongo.connection, COLLECTIONS.deliveries).insertMany([...deliveries]);

test("skipped deliveries of a disabled endpoint: never scheduled, or exhausted then", async () => {
  const skipped = skippedRepository(mongo.connection);
  const partnerId = randomUUID();
  const since = at(0);
  expect(await skipped.since(partnerId, since)).toEqual({ skipped: 0, oldestOccurredAt: null });
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
  expect(await skipped.since(partnerId, since)).toEqual({
    skipped: 2,
    oldestOccurredAt: at(-4).toISOString(),
  });
  const attempts = [
    { attemptNo: 1, sentAt: at(0), statusCode: null, sealedExcerpt: null, durationMs: 0 },
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
  expect(await skipped.since(partnerId, since)).toEqual({
    skipped: 4,
    oldestOccurredAt: limit.toISOString(),
  });
  await eventRepository(mongo.connection).record([ofPartner({ occurredAt: limit })]);
  expect((await skipped.since(partnerId, since)).skipped).toBe(5);
});

test("tallies: the oldest finished ones move in, and pages, totals and counts by hour and day stay the same", async () => {
  const [history, tallies] = [historyRepository(mongo.connection), tallyRepository(mongo.connection)];
  const statistics = statisticsRepository(mongo.connection);
  const partnerId = randomUUID();
  const moments = [-DAY_MS, -1, 0, HOUR_MS, HOUR_MS + 1, 3 * HOUR_MS].map((ms) => new Date(MIDNIGHT + ms));
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
    aDelivery({ partnerId: `${partnerId}-other`, occurredAt: new Date(MIDNIGHT + ms) }),
  );
  await store([...finished, pending, ...foreign]);
  await tallies.count(`${partnerId}-other`, 1);

  const whole = parseHistoryQuery({});
  const from = (ms: number) => ({ ...whole, from: new Date(MIDNIGHT + ms) });
  const delivered: HistoryFilter = { ...whole, statuses: ["Delivered"] };
  const afternoon = { ...whole, from: new Date(MIDNIGHT + HOUR_MS), to: new Date(MIDNIGHT + 3 * HOUR_MS) };
  const moment = { ...whole, from: new Date(MIDNIGHT + HOUR_MS + 1), to: new Date(MIDNIGHT + HOUR_MS + 1) };
  const filters = [whole, delivered, from(0), from(1), from(HOUR_MS + 1), afternoon, moment];
  const totals = () => Promise.all(filters.map((filter) => history.total(partnerId, filter)));
  const countsBy = async (interval: "hour" | "day", ms: number) => {
    const range = { interval, from: new Date(MIDNIGHT), before: new Date(MIDNIGHT + ms) };
    const rows = await statistics.count(partnerId, range);
    const sums = new Map<string, number>();
    for (const row of rows) {
      const key = `${row.at.toISOString().slice(0, 13)} ${row.status}`;
      sums.set(key, (sums.get(key) ?? 0) + row.count);
    }
    return Object.fromEntries([...sums].filter(([, count]) => count > 0).toSorted());
  };
  const day = new Date(MIDNIGHT).toISOString().slice(0, 10);
  const byHour = { [`${day}T00 Exhausted`]: 1, [`${day}T01 Delivered`]: 2 };
  const byDay = { [`${day}T00 Delivered`]: 3, [`${day}T00 Exhausted`]: 1, [`${day}T00 Pending`]: 1 };
  const firstHour = { interval: "hour", from: new Date(MIDNIGHT), before: new Date(MIDNIGHT + 1) } as const;
  expect(await statistics.count(partnerId, firstHour)).toEqual([
    { at: new Date(MIDNIGHT), status: "Exhausted", count: 1 },
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
  expect(await tallies.count(partnerId, 2)).toBe(2);
  const collection = collectionOf(mongo.connection, COLLECTIONS.deliveries);
  const open = await collection.find({ partnerId, counted: false }).toArray();
  expect(idsOf(open)).toEqual([`${partnerId}/2`]);
  const stored = await collectionOf(mongo.connection, COLLECTIONS.tallies)
    .find({ partnerId })
    .sort({ _id: 1 })
    .toArray();
  const counts = (count: number) => ({ "Delivered:business/profile/created": count });
  const day = new Date(MIDNIGHT);
  expect(stored).toEqual([
    { _id: `${partnerId}/day/${day.toISOString()}`, partnerId, kind: "day", at: day, counts: counts(2) },
    ...[0, HOUR_MS].map((ms) => ({
      ...{ _id: `${partnerId}/hour/${at(ms).toISOString()}`, partnerId, kind: "hour", at: at(ms) },
      counts: counts(1),
    })),
  ]);
  expect([await tallies.count(partnerId, 9), await tallies.count(partnerId, 9)]).toEqual([1, 0]);
});

test("history: deliveries of one moment are listed with the greatest id first", async () => {
  const history = historyRepository(mongo.connection);
  const partnerId = randomUUID();
  const statuses = ["Exhausted", "Pending", "Delivered", "Exhausted"] as const;
  const ids = statuses.map((_, index) => `${partnerId}/${index}`);
  await store(statuses.map((status, index) => aDelivery({ _id: ids[index] ?? "", partnerId, status })));
  const page = async (skip: number) =>
    idsOf(await history.page(partnerId, parseHistoryQuery({}), { skip, after: null }, 9));
  expect(await page(0)).toEqual(ids.toReversed());
  expect(await page(1)).toEqual(ids.toReversed().slice(1));
});
