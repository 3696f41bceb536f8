/** The feed of events: each once, in the order of each customer, whatever the clocks and the ways of the events are. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { createPositioning } from "../../../services/delivery/intake/assign-positions.ts";
import { createFeedOrder } from "../../../services/delivery/intake/feed-order.ts";
import type { EventRecord } from "../../../services/delivery/records/event.model.ts";
import {
  type EventRepository,
  eventRepository,
} from "../../../services/delivery/records/event.repository.ts";
import type { FeedPosition } from "../../../services/delivery/records/feed-position.rules.ts";
import { errorCode } from "../../../shared/errors.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { type Random, seededRandom } from "../../chaos/seeded-random.ts";
import { anEvent, at } from "../../support/builders/delivery-records.ts";
import { repetitions } from "../../support/repetitions.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { testServers } from "../../support/servers/servers.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { databaseOfFile, openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const BEGINNING: FeedPosition = { at: { t: 0, i: 0 }, id: "" };
/** Whole seconds; a write of these tests takes less. */
const SETTLE_MS = 1_000;

type Feed = { items: { eventId: string }[]; nextCursor: string; hasMore: boolean };
type Seen = { customerId: string; sequence: number };

/** The sequences of each customer in the order in which they were read. */
const sequencesOf = (events: readonly Seen[]) =>
  Object.fromEntries(
    [...Map.groupBy(events, ({ customerId }) => customerId)].map(([customerId, some]) => [
      customerId,
      some.map(({ sequence }) => sequence),
    ]),
  );
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("processes that record the same customers", () => {
  const first = databaseOfFile("delivery", COLLECTIONS);
  let processes: Mongo[];
  beforeAll(async () => {
    const namespace = first.connection.name.replace(/_delivery$/, "");
    const others = [openTestDatabase("delivery", namespace), openTestDatabase("delivery", namespace)];
    processes = [first, ...(await Promise.all(others))];
  });
  afterAll(() => Promise.all(processes.map((mongo) => mongo.close())));

  const CUSTOMERS = 6;
  const EACH = 12;

  const someEvents = (random: Random, partnerId: string) => {
    const customers = Array.from({ length: CUSTOMERS }, () => randomUUID());
    return upTo(EACH).flatMap((sequence) =>
      customers.map((customerId) =>
        anEvent({
          ...{ partnerId, customerId, sequence },
          // By the clock of the process that records it.
          recordedAt: at(random.between(-60_000, 60_000)),
          envelopeJson: JSON.stringify({ customerId, sequence }),
        }),
      ),
    );
  };

  /** As two processes are given them: out of order, repeated, and some after all others. */
  function inBatches(random: Random, events: readonly EventRecord[]): EventRecord[][] {
    const late = new Set(events.filter(() => random.next() < 0.2));
    const repeated = events.filter(() => random.next() < 0.2);
    const ranked = [...events.filter((event) => !late.has(event)), ...repeated].map((event, index) => ({
      event,
      rank: index + random.between(0, 15),
    }));
    const inTime = ranked.sort((a, b) => a.rank - b.rank).map(({ event }) => event);
    const all = [...inTime, ...random.shuffle([...late])];
    const batches: EventRecord[][] = [];
    while (all.length > 0) batches.push(all.splice(0, random.between(1, 9)));
    return batches;
  }

  async function recordAll(events: EventRepository, batches: EventRecord[][]): Promise<void> {
    const record = createFeedOrder({ events, areShards: async () => false });
    for (let batch = batches.shift(); batch; batch = batches.shift()) await record(batch);
  }

  const SEEDS = upTo(repetitions({ short: 4, nightly: 60 }));
  test.each(SEEDS)("each event once and in sequence for who reads along; seed %d", async (seed) => {
    const random = seededRandom(seed);
    const partnerId = randomUUID();
    const all = someEvents(random, partnerId);
    const batches = inBatches(random, all);
    const [reader, ...writers] = processes.map(({ connection }) => eventRepository(connection)) as [
      EventRepository,
      ...EventRepository[],
    ];
    const beats = processes[0]?.connection.collection<{ _id: string }>("beats");
    const place = createPositioning({ events: reader, monotonic: performance });
    const read: Seen[] = [];
    let after = BEGINNING;
    const reading = waitFor(
      async () => {
        await place();
        // The database's time goes on with its writes.
        await beats?.updateOne({ _id: "a" }, { $set: { at: randomUUID() } }, { upsert: true });
        const page = await reader.feed(partnerId, after, SETTLE_MS, random.between(1, 20));
        read.push(...page.map(({ envelopeJson }) => JSON.parse(envelopeJson) as Seen));
        after = page.at(-1) ?? after;
        return read.length >= all.length;
      },
      { what: "every event to be read", everyMs: 1 },
    );
    await Promise.all([reading, ...writers.map((events) => recordAll(events, batches))]);
    expect(sequencesOf(read)).toEqual(
      Object.fromEntries(all.slice(0, CUSTOMERS).map(({ customerId }) => [customerId, upTo(EACH)])),
    );
  });

  test("a predecessor that never comes holds its successors up for two minutes, in sequence", async () => {
    const partnerId = randomUUID();
    const customerId = randomUUID();
    const events = eventRepository((processes[0] as Mongo).connection);
    const some = [7, 8, 10].map((sequence) => anEvent({ partnerId, customerId, sequence }));
    await recordAll(events, [some]);
    let now = 0;
    const place = createPositioning({ events, monotonic: { now: () => now } });
    const feed = async () => (await events.feed(partnerId, BEGINNING, 0, 9)).map(({ id }) => id);
    await place();
    now = 119_999;
    await place();
    expect(await feed()).toEqual([]);
    now = 120_000;
    await place();
    expect(await feed()).toEqual(some.map(({ _id }) => _id));
  });
});

describe("the route", () => {
  let stage: DeliveryStage;
  let link: Link;
  beforeAll(async () => {
    link = await startLink(testServers().mongodbUri);
    stage = await startDeliveryStage({
      PBO_FEED_SETTLE_MS: String(SETTLE_MS),
      PBO_DELIVERY_PARTITION_LEASE_MS: "5000",
    });
  });
  afterAll(async () => {
    link.set("pass");
    await stage.stop();
    await link.close();
  });

  const feed = (partnerId: string, query: Record<string, string> = {}) =>
    stage.call<Feed>("delivery.listEvents", partnerId, { query }, { caller: aClient(partnerId) });
  const ids = ({ items }: Feed) => items.map(({ eventId }) => eventId);

  /** Follows the cursor until it has read so many. */
  async function readAll(partnerId: string, count: number, read: Feed["items"] = []): Promise<Feed["items"]> {
    let cursor: Record<string, string> = {};
    await waitFor(
      async () => {
        const page = await feed(partnerId, { ...cursor, pageSize: "7" });
        read.push(...page.items);
        cursor = { cursor: page.nextCursor };
        return read.length >= count;
      },
      { what: `${count} events in the feed`, everyMs: 10 },
    );
    return read;
  }

  async function record(partnerId: string) {
    const entry = stage.anEvent(partnerId);
    await stage.publish([entry]);
    await waitFor(() => stage.confirmed.has(entry.eventId), "the event to be recorded");
    return entry;
  }

  test("has what a partner without a webhook was not sent, by cursor, each once; nothing of others", async () => {
    const partnerId = randomUUID();
    const empty = await feed(partnerId);
    expect(empty).toMatchObject({ items: [], hasMore: false });
    const some = [await record(partnerId), await record(partnerId), await record(partnerId)];
    await record(randomUUID());
    expect(await readAll(partnerId, 3)).toEqual(some.map(({ body }) => JSON.parse(body)));
    const begin = await feed(partnerId, { cursor: empty.nextCursor, pageSize: "2" });
    expect([ids(begin), begin.hasMore]).toEqual([some.slice(0, 2).map(({ eventId }) => eventId), true]);
    const end = await feed(partnerId, { cursor: begin.nextCursor, pageSize: "2" });
    expect([ids(end), end.hasMore]).toEqual([[some[2]?.eventId], false]);
    expect(await feed(partnerId, { cursor: end.nextCursor })).toEqual({
      items: [],
      nextCursor: end.nextCursor,
      hasMore: false,
    });
  });

  test("a test event is in it, too; in a sandbox it says test", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const { eventId } = await stage.call<{ eventId: string }>("delivery.sendTest", partnerId);
    const [live] = await readAll(partnerId, 1);
    expect(live).toMatchObject({ eventId });
    expect(live).not.toHaveProperty("test");
    const caller = {
      ...({ kind: "user", role: "Owner", email: "dev@example.com" } as const),
      ...({ userId: randomUUID(), partnerId, isTest: true } as const),
    };
    await stage.call("delivery.sendTest", partnerId, {}, { caller });
    expect((await readAll(partnerId, 2))[1]).toMatchObject({ test: true });
  });

  test("two processes with clocks two minutes apart, writes of one held up: nothing is passed over", async () => {
    const clockAt = (ahead: number) => ({ now: () => Date.now() + ahead });
    const held = await stage.startDelivery({ PBO_MONGODB_URI: link.url }, clockAt(60_000));
    const behind = await stage.startDelivery({}, clockAt(-60_000));
    const partnerId = randomUUID();
    const customers = Array.from({ length: 8 }, () => randomUUID());
    const entries = upTo(30).flatMap((sequence) =>
      customers.map((customerId) => stage.anEvent(partnerId, undefined, { customerId, sequence })),
    );
    const others = Array.from({ length: 60 }, () => stage.anEvent(partnerId));
    const read: Feed["items"] = [];
    const reading = readAll(partnerId, entries.length + others.length, read);
    const isRead = ({ eventId }: { eventId: string }) => read.some((event) => event.eventId === eventId);
    for (const entry of entries.slice(0, 160)) await stage.publish([entry]);
    link.set("hold-up");
    for (const entry of [...entries.slice(160), ...others]) await stage.publish([entry]);
    await waitFor(() => others.some(isRead), "events behind those that are held up");
    link.set("pass");
    const seen = ((await reading) as unknown as { correlation: Seen }[]).map(
      ({ correlation }) => correlation,
    );
    expect(sequencesOf(seen)).toEqual({
      ...Object.fromEntries(customers.map((id) => [id, upTo(30)])),
      ...Object.fromEntries(others.map(({ body }) => [JSON.parse(body).correlation.customerId, [1]])),
    });
    await Promise.all([stage.stopDelivery(held), stage.stopDelivery(behind)]);
  });

  test("a cursor that is none: refused", async () => {
    const refused = feed(randomUUID(), { cursor: "nonsense" }).catch(errorCode);
    expect(await refused).toBe("ValidationControl.Error");
  });
});

const aClient = (partnerId: string): Caller => ({
  kind: "partner",
  partnerId,
  clientId: "client",
  scopes: ["partner.read"],
});
