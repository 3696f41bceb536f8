/** The queries of an outbox, on a real database: which entries are found, read and removed, and by which index. */
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { OUTBOX_INDEX, type OutboxCollection, outboxStore } from "../../../shared/outbox/outbox-store.ts";
import { several } from "../../support/builders/records.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const { connection } = databaseOfFile("profile");
const collection = connection.collection("outbox_holders") as unknown as OutboxCollection;
beforeAll(() => collection.createIndexes([OUTBOX_INDEX]));
beforeEach(async () => void (await collection.deleteMany({})));

const anEntry = (eventId: string): OutboxEntry => ({
  ...{ eventId, eventType: "webhook.test", partnerId: "p", occurredAt: "2026-03-01T12:00:00.000Z" },
  ...{ body: `body of ${eventId}`, traceparent: null },
});
const hold = (partnerId: string, ...eventIds: string[]) =>
  collection.insertOne({
    ...{ _id: randomUUID() as never, partnerId, outbox: eventIds.map(anEntry) },
    rest: "of the document".repeat(1_000),
  });
/** A removal need not have reached a majority yet. */
const left = async () => {
  const found = collection.find({}, { readConcern: { level: "local" } }).sort({ partnerId: 1 });
  return (await found.toArray()).map(({ outbox }) => outbox.map(({ eventId }: OutboxEntry) => eventId));
};
const pending = (eventId: string) => ({ eventId, occurredAt: "2026-03-01T12:00:00.000Z" });

test("a page: outboxes with an event behind the position, oldest first, without bodies", async () => {
  const store = outboxStore(collection);
  await hold("p", "3", "6");
  await hold("p", "2");
  await hold("p", "1");
  await hold("p");
  expect(await store.pageAfter("", 9)).toEqual([
    [pending("1")],
    [pending("2")],
    [pending("3"), pending("6")],
  ]);
  expect(await store.pageAfter("2", 9)).toEqual([[pending("3"), pending("6")]]);
  expect(await store.pageAfter("", 2)).toEqual([[pending("1")], [pending("2")]]);
});

test("a page: an entry that is no object, or has no id or date, keeps its position", async () => {
  const store = outboxStore(collection);
  const { occurredAt } = pending("1");
  await collection.insertOne({ outbox: [null, { occurredAt }, { eventId: "1" }, 5, anEntry("2")] });
  expect(await store.pageAfter("", 9)).toEqual([[{}, { occurredAt }, { eventId: "1" }, {}, pending("2")]]);
});

test("read: the documents of the wanted events, with their whole outboxes", async () => {
  const store = outboxStore(collection);
  const { insertedId: _id } = await hold("p", "1", "2");
  await hold("p", "3");
  expect(await store.read(["2", "none"])).toEqual([
    { _id, partnerId: "p", outbox: [anEntry("1"), anEntry("2")] },
  ]);
});

test("discard: the entries that equal a value in every field and type, and nothing beside them", async () => {
  const store = outboxStore(collection);
  const stays = [anEntry("1"), { eventId: "2", partnerId: 8 }, { ...anEntry("2"), more: 1 }, 0, ["x"]];
  const broken = [null, { ...anEntry("2"), body: "" }, { eventId: "3" }, {}, 1.5, 2n ** 62n, [], true];
  const mixed = broken.flatMap((value, index) => [value, ...stays.slice(index, index + 1)]);
  await collection.insertOne({ partnerId: "p", outbox: mixed });
  const [holder] = await store.read(["1"]);
  if (!holder) throw new Error("no holder");
  const isBroken = (value: unknown, index: number) =>
    mixed[index] === value && broken.includes(mixed[index] as never);
  const values = holder.outbox.filter((_, index) => isBroken(mixed[index], index));
  expect(values).toHaveLength(broken.length);
  expect(await store.discard(holder, values)).toBe(true);
  expect((await collection.findOne({}, { readConcern: { level: "local" } }))?.outbox).toEqual(stays);
  expect(await store.discard(holder, values)).toBe(false);
});

test("remove: those entries only, of the named partners if any are named", async () => {
  const store = outboxStore(collection);
  await hold("p", "1", "2");
  await hold("q", "3");
  expect(await store.remove(["1", "3"], ["p"])).toBe(1);
  expect(await left()).toEqual([["2"], ["3"]]);
  expect(await store.remove(["2", "3", "none"])).toBe(2);
  expect(await left()).toEqual([[], []]);
});

test("each reads what waits and nothing else, however many documents there are", async () => {
  const store = outboxStore(collection);
  await collection.insertMany(several(50, (index) => ({ _id: `empty ${index}` as never, outbox: [] })));
  await hold("p", "1");
  await hold("p", "2");
  expect(await collection.indexes()).toContainEqual({
    v: 2,
    name: "outbox_event_id",
    key: { "outbox.eventId": 1 },
    partialFilterExpression: { "outbox.eventId": { $exists: true } },
  });
  await connection.db?.command({ profile: 2 });
  await store.pageAfter("", 9);
  await store.read(["1"]);
  await store.remove(["1"], ["p"]);
  await connection.db?.command({ profile: 0 });
  const ns = { $regex: "outbox_holders$" };
  const seen = await connection.collection("system.profile").find({ ns }).sort({ ts: 1 }).toArray();
  const [page, read, remove] = seen.filter(({ op }) => op === "query" || op === "update");
  expect([page, read, remove].map((each) => each?.planSummary)).toEqual(
    Array(3).fill("IXSCAN { outbox.eventId: 1 }"),
  );
  expect([page, read].map((each) => each?.command.maxTimeMS)).toEqual([10_000, 10_000]);
  expect([page, read, remove].map((each) => each?.docsExamined)).toEqual([2, 1, 1]);
  for (const each of [page, read]) expect(each?.responseLength).toBeLessThan(2_000);
});
