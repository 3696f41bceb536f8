/** Totals are read all the time while everything that changes a history runs: each is one that was true meanwhile. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { historyRepository } from "../../../services/delivery/history/history.repository.ts";
import { parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import { listDeliveries } from "../../../services/delivery/history/list-deliveries.ts";
import { tallyRepository } from "../../../services/delivery/history/tally.repository.ts";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import { deliveryRepository } from "../../../services/delivery/records/delivery.repository.ts";
import { dueAt, firstDelivery, replayOf } from "../../../services/delivery/records/delivery.rules.ts";
import { attempted } from "../../../services/delivery/records/delivery-update.rules.ts";
import { eventRepository } from "../../../services/delivery/records/event.repository.ts";
import { shownSince } from "../../../services/delivery/records/retention.rules.ts";
import { DELIVERY_STATUSES } from "../../../shared/contract/vocabularies.ts";
import { orderedId } from "../../../shared/ids.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { collectionOf, createMongo, type Mongo } from "../../../shared/mongo/mongo.ts";
import { repetitions } from "../../support/repetitions.ts";
import { aTestNamespace, testServers } from "../../support/servers/servers.ts";

const RUNS = repetitions({ short: 1, nightly: 60 });
const HOUR_MS = 60 * 60 * 1_000;
const NOW = Date.now();
const SHOWN_SINCE = shownSince(NOW);
const clock = { now: () => NOW };
/** Every query set has these: the whole history, and the pages near its end. */
const ALWAYS: Query[] = [{}, { page: "4", pageSize: "200" }, { page: "5", pageSize: "200" }];
const TYPES = ["business.profile.created", "business.person.added", "webhook.test"];
const namespace = aTestNamespace();
const aMongo = async (): Promise<Mongo> => {
  const { mongodbUri } = testServers();
  const mongo = createMongo({ mongodbUri, mongodbPoolSize: 20, namespace, process: "delivery" });
  await mongo.connect();
  return mongo;
};

let mongo: Mongo;
beforeAll(async () => {
  mongo = await aMongo();
  await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
});
afterAll(() => mongo.close());

type Query = Record<string, string>;
type Change = { before: readonly DeliveryRecord[]; after: readonly DeliveryRecord[] };

/** The stored deliveries, and the changes that a read may or may not have seen. */
function aLedger() {
  const stored = new Map<string, DeliveryRecord>();
  const underWay = new Set<Change>();
  const readers = new Set<Set<Change>>();
  return {
    async change(change: Change, write: () => Promise<unknown>): Promise<void> {
      underWay.add(change);
      for (const seen of readers) seen.add(change);
      await write();
      for (const { _id } of change.before) stored.delete(_id);
      for (const record of change.after) stored.set(record._id, record);
      underWay.delete(change);
    },
    /** A total that was read must be between the least and the most of that time. */
    async read(query: Query, total: () => Promise<number>) {
      const count = (records: readonly DeliveryRecord[]) => records.filter(wantedBy(query)).length;
      const settled = count([...stored.values()]);
      const seen = new Set(underWay);
      readers.add(seen);
      const read = await total();
      readers.delete(seen);
      const changes = [...seen].map(({ before, after }) => count(after) - count(before));
      const bound = (sign: 1 | -1) =>
        changes.filter((by) => by * sign > 0).reduce((sum, by) => sum + by, settled);
      return { query, least: bound(-1), read, most: bound(1) };
    },
  };
}

function wantedBy(query: Query) {
  const { statuses, eventTypes, from, to } = parseHistoryQuery(query);
  return ({ status, eventType, occurredAt }: DeliveryRecord): boolean =>
    occurredAt >= SHOWN_SINCE &&
    statuses.includes(status) &&
    eventTypes.includes(eventType) &&
    (!from || occurredAt >= from) &&
    (!to || occurredAt <= to);
}

function aDelivery(partnerId: string, at: number, no: number): DeliveryRecord {
  const event = {
    _id: orderedId(at),
    partnerId,
    eventType: TYPES[no % TYPES.length] ?? "",
    eventVersion: 1,
    customerId: null,
    occurredAt: new Date(at),
  };
  return firstDelivery(event, { endpointId: "e", partition: 0, ...dueAt(at) });
}

const finished = (record: DeliveryRecord, no: number): DeliveryRecord => ({
  ...record,
  status: no % 4 === 0 ? "Exhausted" : "Delivered",
  attemptCount: 1,
});

const anOutcome = {
  ok: true,
  statusCode: 200,
  errorKind: null,
  sealedExcerpt: null,
  durationMs: 1,
  retryAfterMs: null,
};

/** Ends between its two writes, as a process that is killed does. */
async function killedTallyStep(partnerId: string, limit: number): Promise<void> {
  const victim = await aMongo();
  const collection = collectionOf(victim.connection, COLLECTIONS.tallies);
  collection.bulkWrite = async () => {
    await victim.close();
    throw new Error("killed");
  };
  // With nothing to count it ends before it can be killed.
  const counted = await tallyRepository(victim.connection)
    .count(partnerId, limit)
    .catch(() => "killed");
  expect([0, "killed"]).toContain(counted);
  if (counted === 0) await victim.close();
}

const times = fc
  .integer({ min: -40, max: 2 })
  .chain((hours) =>
    fc.integer({ min: 0, max: HOUR_MS }).map((ms) => new Date(NOW + hours * HOUR_MS + ms).toISOString()),
  );
const queries: fc.Arbitrary<Query> = fc
  .record(
    {
      status: fc.constantFrom(...DELIVERY_STATUSES),
      eventType: fc.constantFrom(...TYPES),
      from: times,
      to: times,
      page: fc.integer({ min: 1, max: 8 }).map(String),
      pageSize: fc.constantFrom("1", "50", "120", "200"),
    },
    { requiredKeys: [] },
  )
  .filter(({ from, to }) => !from || !to || from < to);

test("tally steps, killed ones, expiry, new deliveries, outcomes and replays: every total was true", async () => {
  const history = historyRepository(mongo.connection);
  const events = eventRepository(mongo.connection);
  const tallies = tallyRepository(mongo.connection);
  const deliveries = deliveryRepository(mongo.connection);

  const property = fc.asyncProperty(
    fc.array(queries, { minLength: 4, maxLength: 8 }),
    fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 8, maxLength: 14 }),
    fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 6, maxLength: 12 }),
    async (drawn, steps, pauses) => {
      const asked = [...ALWAYS, ...drawn];
      const partnerId = randomUUID();
      const ledger = aLedger();
      const add = (after: readonly DeliveryRecord[]) =>
        ledger.change({ before: [], after }, () => deliveries.insert(after));
      // Half of them are shown no more, and may go at any time.
      const old = Array.from({ length: 200 }, (_, i) =>
        aDelivery(partnerId, SHOWN_SINCE.getTime() + (i - 100) * 60_000, i),
      );
      const recent = Array.from({ length: 700 }, (_, i) =>
        aDelivery(partnerId, NOW - 40 * HOUR_MS + i * 190_000, i),
      );
      await add([...old, ...recent].map(finished));

      let isOver = false;
      const tally = async () => {
        for (const step of steps) await tallies.count(partnerId, step);
      };
      const killed = async () => {
        for (const step of steps.slice(0, 3)) await killedTallyStep(partnerId, step);
      };
      const expire = async () => {
        for (const [i, pause] of pauses.entries()) {
          await sleep(pause);
          // As the TTL monitor does: no transaction, deliveries and tallies each for themselves.
          const before = new Date(SHOWN_SINCE.getTime() - Math.max(0, 80 - 20 * i) * 60_000);
          await collectionOf(mongo.connection, COLLECTIONS.deliveries).deleteMany({
            partnerId,
            createdAt: { $lt: before },
          });
          if (i % 2 === 0)
            await collectionOf(mongo.connection, COLLECTIONS.tallies).deleteMany({
              partnerId,
              at: { $lt: before },
            });
        }
      };
      const deliver = async () => {
        for (const [i, pause] of pauses.entries()) {
          const fresh = Array.from({ length: 5 }, (_, no) => aDelivery(partnerId, NOW + i * 1_000 + no, no));
          const placement = { endpointId: "e", partition: 0, ...dueAt(NOW) };
          const series = orderedId(NOW);
          const again = recent
            .slice(i * 10, i * 10 + 5)
            .map((past) => replayOf({ ...past, _id: past.eventId, customerId: null }, placement, series));
          const sent = [...fresh, ...again];
          await add(sent);
          await sleep(pause);
          const after = sent.map(
            (record): DeliveryRecord => ({ ...record, status: "Delivered", attemptCount: 1 }),
          );
          const updates = sent.map(({ _id }) =>
            attempted(
              { deliveryId: _id, partnerId, attemptNo: 1 },
              { ...anOutcome, sentAt: new Date(NOW) },
              { status: "Delivered" },
              NOW,
            ),
          );
          await ledger.change({ before: sent, after }, () => deliveries.apply(updates));
        }
      };
      const wrong: unknown[] = [];
      const readAll = async (query: Query) => {
        do {
          const seen = await ledger.read(
            query,
            async () =>
              (await listDeliveries({ history, events, clock }, partnerId, query)).total ?? Number.NaN,
          );
          if (seen.read < seen.least || seen.read > seen.most) wrong.push(seen);
        } while (!isOver);
      };
      const work = Promise.all([tally(), killed(), expire(), deliver()]).finally(() => {
        isOver = true;
      });
      await Promise.all([work, ...asked.map(readAll)]);
      await Promise.all(asked.map(readAll));
      expect(wrong).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
