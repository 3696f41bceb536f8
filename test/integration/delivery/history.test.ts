import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { canMatch, parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import { historyIndex, pageQuery } from "../../../services/delivery/history/history-queries.rules.ts";
import { createTallying } from "../../../services/delivery/history/history-upkeep.ts";
import { tallyRepository } from "../../../services/delivery/history/tally.repository.ts";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import type { Statistics } from "../../../shared/contract/answers/delivery.ts";
import { errorCode } from "../../../shared/errors.ts";
import { orderedId } from "../../../shared/ids.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { aDelivery, anEvent } from "../../support/builders/delivery-records.ts";
import { repetitions } from "../../support/repetitions.ts";
import { type Page, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { withoutDeadline } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Deliveries whose time is over. */
const OLD = repetitions({ short: 1_000, nightly: 2_000_000 });
const LONG_MS = 60 * 60_000;
const TYPES = ["business.profile.created", "business.person.added", "webhook.test"];

const stage = stageOfFile(startDeliveryStage);

const connection = () => stage.runtime().mongo.connection;
const never = () => false;

const aRecord = (partnerId: string, at: number, change: Partial<DeliveryRecord> = {}): DeliveryRecord =>
  aDelivery({
    ...{ _id: orderedId(at), eventId: orderedId(at), partnerId },
    ...{ occurredAt: new Date(at), createdAt: new Date(at), completedAt: new Date(at + 1_000) },
    ...change,
  });

/** The totals of these two pages are counted. A page that shows the end needs no count. */
async function countedTotals(partnerId: string, query: Record<string, string>): Promise<number[]> {
  const pages = ["1", "2"].map((page) => stage.list(partnerId, { ...query, page, pageSize: "1" }));
  return (await Promise.all(pages)).map(({ total }) => Number(total));
}

const insert = (records: readonly DeliveryRecord[]) =>
  withoutDeadline(connection(), "deliveries").insertMany(records as never);

describe("the delivery history", () => {
  const partnerId = randomUUID();
  const start = Math.floor(Date.now() / DAY_MS - 10) * DAY_MS;
  const at = (hour: number) => new Date(start + hour * 3_600_000).toISOString();
  const records = Array.from({ length: 60 }, (_, hour) =>
    aRecord(partnerId, start + hour * 3_600_000, {
      eventType: TYPES[hour % 3] ?? "",
      status: hour % 10 === 0 ? "Exhausted" : hour >= 58 ? "Pending" : "Delivered",
      ...(hour >= 58 ? { completedAt: null, nextAttemptAt: new Date(start + 100 * 3_600_000) } : {}),
      replaySeries: hour === 5 ? randomUUID() : null,
    }),
  );
  beforeAll(async () => {
    await insert(records);
    await insert([aRecord(randomUUID(), start)]);
  });

  test("newest first, in pages that meet without gap or overlap", async () => {
    const pages = [];
    for (const page of ["1", "2", "3", "4"])
      pages.push(await stage.list(partnerId, { page, pageSize: "25" }));
    expect(pages.map(({ items }) => items.length)).toEqual([25, 25, 10, 0]);
    expect(pages.every(({ total }) => total === 60)).toBe(true);
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(ids).toEqual(records.map(({ _id }) => _id).reverse());
  });

  test.each([
    [{ status: "Exhausted" }, 6],
    [{ status: "Pending" }, 2],
    [{ eventType: "webhook.test" }, 20],
    [{ eventType: "webhook.test", status: "Exhausted" }, 2],
    [{ eventType: "no.such.type" }, 0],
    [{ from: at(10) }, 50],
    [{ to: at(10) }, 11],
    [{ from: at(10), to: at(34) }, 25],
    [{ from: at(24).slice(0, "2026-05-02".length) }, 36],
    [{ from: at(10), to: at(34), status: "Exhausted", eventType: "business.person.added" }, 1],
    [{ from: "2130-01-01" }, 0],
    [{ to: "2020-01-01" }, 0],
  ])("%j: %i", async (query, total) => {
    const page = await stage.list(partnerId, { ...query, pageSize: "200" });
    expect(page.items).toHaveLength(total);
    expect(await countedTotals(partnerId, query)).toEqual([total, total]);
  });

  test("another partner sees nothing of it", async () => {
    expect(await stage.list(randomUUID())).toEqual({
      items: [],
      page: 1,
      pageSize: 50,
      total: 0,
      nextCursor: null,
    });
  });

  test("a query that is not allowed is refused with its code", async () => {
    expect(await stage.list(partnerId, { status: "Lost" }).catch(errorCode)).toBe("Webhook.StatusUnknown");
  });
});

describe("statistics", () => {
  test("by hour and by day: the same before and after the counting, and the same as the history's totals", async () => {
    const partnerId = randomUUID();
    const start = Math.floor(stage.clock.now() / DAY_MS - 10) * DAY_MS;
    const records = Array.from({ length: 2_000 }, (_, i) =>
      aRecord(partnerId, start + i * 60_000, {
        eventType: TYPES[i % 3] ?? "",
        status: i % 10 === 0 ? "Exhausted" : i % 7 === 0 ? "Pending" : "Delivered",
      }),
    );
    await insert([...records, aRecord(randomUUID(), start)]);
    const iso = (ms: number) => new Date(ms).toISOString();
    const range = { from: iso(start), to: iso(start + 33.5 * 3_600_000) };
    const read = (interval: string) =>
      stage.call<Statistics>("delivery.statistics", partnerId, { query: { ...range, interval } });
    const before = { hour: await read("hour"), day: await read("day") };
    expect(before.hour.items).toHaveLength(34);
    expect(before.day.items.map(({ at }) => at)).toEqual([iso(start), iso(start + DAY_MS)]);
    const sum = (items: Statistics["items"], field: "pending" | "delivered" | "exhausted") =>
      items.reduce((all, item) => all + item[field], 0);
    for (const [status, field] of [
      ["Pending", "pending"],
      ["Delivered", "delivered"],
      ["Exhausted", "exhausted"],
    ] as const)
      for (const { items } of Object.values(before))
        expect(sum(items, field)).toBe((await stage.list(partnerId, { status, pageSize: "1" })).total);

    const counting = createTallying(tallyRepository(connection()));
    while (await counting(never));
    const finished = {
      partnerId,
      counted: false,
      status: { $in: ["Delivered" as const, "Exhausted" as const] },
    };
    // The upkeep leaves fewer than a step's worth.
    const left = await collectionOf(connection(), COLLECTIONS.deliveries).countDocuments(finished);
    expect(left).toBeLessThan(700);
    expect({ hour: await read("hour"), day: await read("day") }).toEqual(before);
  });

  test("a range that is too wide is refused", async () => {
    const query = { from: "2026-01-01", to: "2026-02-01" };
    const refused = stage.call("delivery.statistics", randomUUID(), { query }).catch(errorCode);
    expect(await refused).toBe("Webhook.RangeTooWide");
  });
});

describe("searches", () => {
  const partnerId = randomUUID();
  const stranger = randomUUID();
  const [customer, series, eventId] = [randomUUID(), randomUUID(), randomUUID()];
  const start = Math.floor(Date.now() / DAY_MS - 10) * DAY_MS;
  const later = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
  const failed = (word: string, code: number | null): Partial<DeliveryRecord> => ({
    status: "Exhausted",
    lastFailure: word,
    lastStatusCode: code,
  });
  const kinds = [
    { customerId: customer },
    { customerId: customer, ...failed("HttpStatus 5xx", 503) },
    { replaySeries: series },
    { replaySeries: series, ...failed("Timeout none", null) },
    { eventId, ...failed("HttpStatus 4xx", 404) },
    {},
  ];
  // Six of a moment, so that pages also meet within one.
  const records = Array.from({ length: 120 }, (_, i) =>
    aRecord(partnerId, start + Math.floor(i / 6) * 1_000, kinds[i % 6]),
  );
  const newestFirst = records.toSorted(
    (a, b) => b.occurredAt.getTime() - a.occurredAt.getTime() || (a._id < b._id ? 1 : -1),
  );
  const occurredAt = new Date(start + 5_000);

  beforeAll(async () => {
    const atItsEvent = records.map((record) =>
      record.eventId === eventId ? { ...record, occurredAt } : record,
    );
    await insert(atItsEvent);
    await insert([aRecord(stranger, start, { customerId: randomUUID() })]);
    await collectionOf(connection(), COLLECTIONS.events).insertOne(
      anEvent({ _id: eventId, partnerId, occurredAt, recordedAt: occurredAt }),
    );
  });

  test.each([
    [{ customerId: customer }, 40],
    [{ customerId: customer, status: "Exhausted" }, 20],
    [{ customerId: customer, eventType: "webhook.test" }, 0],
    [{ customerId: customer, to: later(9) }, 20],
    [{ customerId: randomUUID() }, 0],
    [{ replaySeries: series }, 40],
    [{ replaySeries: series, errorKind: "Timeout" }, 20],
    [{ eventId }, 20],
    [{ eventId, from: later(86_400) }, 0],
    [{ eventId: randomUUID() }, 0],
    [{ errorKind: "HttpStatus" }, 40],
    [{ responseClass: "5xx" }, 20],
    [{ responseClass: "none" }, 20],
    [{ responseClass: "2xx" }, 60],
    [{ responseClass: "2xx", errorKind: "Tls" }, 0],
  ])("%j: %i, by page and by cursor, on an index and without a sort", async (query, total) => {
    const page = await stage.list(partnerId, { ...query, pageSize: "200" });
    expect(page.items).toHaveLength(total);
    expect(await countedTotals(partnerId, query)).toEqual([total, total]);
    let cursor: string | null = "";
    const seen: string[] = [];
    while (cursor !== null) {
      const next: Page = await stage.list(partnerId, { ...query, cursor, pageSize: "7" });
      expect([next.page, next.total]).toEqual([null, null]);
      seen.push(...next.items.map(({ id }) => id));
      cursor = next.nextCursor;
    }
    expect(seen).toEqual(page.items.map(({ id }) => id));
    expect(await stage.list(stranger, query)).toMatchObject({
      total: "responseClass" in query && query.responseClass === "2xx" && total > 0 ? 1 : 0,
    });

    const { paging: _, pageSize: __, ...filter } = parseHistoryQuery(query);
    if (!canMatch(filter)) return;
    const position = { at: occurredAt, id: newestFirst[50]?._id ?? "" };
    const found = collectionOf(connection(), COLLECTIONS.deliveries)
      .find(pageQuery(partnerId, filter, position), { hint: historyIndex(filter) })
      .sort({ occurredAt: -1, _id: -1 })
      .limit(8);
    const plan = JSON.stringify(await found.explain("queryPlanner"));
    expect(plan).not.toMatch(/"stage":"(COLLSCAN|SORT)"/);
    expect(plan).toMatch(/"stage":"IXSCAN"/);
  });
});

describe("retention", () => {
  let partnerId: string;
  beforeEach(() => {
    partnerId = randomUUID();
  });
  const database = () => {
    const { db } = connection();
    if (!db) throw new Error("not connected");
    return db;
  };
  const ttlEvery = (seconds: number) =>
    connection().getClient().db("admin").command({ setParameter: 1, ttlMonitorSleepSecs: seconds });
  beforeAll(async () => {
    await database().command({ profile: 2, filter: { op: { $in: ["remove", "query", "command"] } } });
  });
  afterAll(async () => {
    // Removals by the database itself are no operations of a client.
    const removals = { op: "remove", appName: /delivery/ };
    expect(await database().collection("system.profile").countDocuments(removals)).toBe(0);
  });

  const anEventRecord = (at: number) =>
    anEvent({ _id: orderedId(at), partnerId, occurredAt: new Date(at), recordedAt: new Date(at) });
  const ago = (days: number) => Date.now() - days * DAY_MS;
  /** The database looks every minute; not before a test has seen what it is about to remove. */
  async function gone(count: () => Promise<number>, left: number): Promise<void> {
    await ttlEvery(1);
    await waitFor(async () => (await count()) === left, {
      what: "the database to remove what expired",
      timeoutMs: LONG_MS,
      everyMs: 200,
    });
    await ttlEvery(60);
  }

  test("after 30 days the body of an event is shown no more, after 35 it is gone", async () => {
    const events = [36, 31, 29].map((days) => anEventRecord(ago(days)));
    const deliveries = events.map(({ _id, occurredAt }) =>
      aRecord(partnerId, occurredAt.getTime(), { eventId: _id }),
    );
    await withoutDeadline(connection(), "events").insertMany(events as never);
    await insert(deliveries);
    await gone(() => collectionOf(connection(), COLLECTIONS.events).countDocuments({ partnerId }), 2);
    const bodies = await Promise.all(
      deliveries.map(async ({ _id }) => (await stage.detail(partnerId, _id)).envelopeJson),
    );
    expect(bodies).toEqual([null, null, "{}"]);
  });

  /** Keys and documents that the database examined for a page and its total. */
  async function costOfPage(): Promise<{ keys: number; documents: number }> {
    const ts = { $gte: new Date() };
    await stage.list(partnerId);
    const own = [
      { "command.filter.partnerId": partnerId },
      { "command.pipeline.0.$match.partnerId": partnerId },
    ];
    const reads = await database().collection("system.profile").find({ ts, $or: own }).toArray();
    const sum = (field: string) => reads.reduce((total, read) => total + Number(read[field] ?? 0), 0);
    expect(reads).toHaveLength(2);
    return { keys: sum("keysExamined"), documents: sum("docsExamined") };
  }

  test(
    "totals and the cost of a page are the same before the rest is removed and after, counted or not",
    async () => {
      const perInsert = 1_000;
      for (let stored = 0; stored < OLD; stored += perInsert)
        await insert(Array.from({ length: perInsert }, (_, i) => aRecord(partnerId, ago(94) + stored + i)));
      const shown = Array.from({ length: 10 }, (_, i) => aRecord(partnerId, ago(90) + i));
      await insert([aRecord(partnerId, ago(91.5)), ...shown]);
      const tallies = tallyRepository(connection());
      await tallies.count(partnerId, 700);
      const total = async () => (await stage.list(partnerId, { pageSize: "1" })).total;
      expect(await total()).toBe(10);
      const before = await costOfPage();
      await gone(() => collectionOf(connection(), COLLECTIONS.deliveries).countDocuments({ partnerId }), 11);
      expect(await total()).toBe(10);
      expect(await costOfPage()).toEqual(before);
      await tallies.count(partnerId, 700);
      expect(await total()).toBe(10);
      const ofOldDays = { partnerId, at: { $lt: new Date(ago(92)) } };
      await gone(() => collectionOf(connection(), COLLECTIONS.tallies).countDocuments(ofOldDays), 0);
      expect(await total()).toBe(10);
      const from = new Date(ago(400)).toISOString();
      expect(await countedTotals(partnerId, { from })).toEqual([10, 10]);
    },
    LONG_MS,
  );

  test("a replay of an old event is found by its id for 90 days of its own", async () => {
    const replay = aRecord(partnerId, ago(62), {
      occurredAt: new Date(ago(91.5)),
      replaySeries: randomUUID(),
    });
    await insert([replay]);
    expect(await stage.list(partnerId)).toMatchObject({ items: [], total: 0 });
    expect((await stage.list(partnerId, { page: "2", pageSize: "1" })).total).toBe(0);
    expect(await stage.detail(partnerId, replay._id)).toMatchObject({ id: replay._id, envelopeJson: null });
  });
});
