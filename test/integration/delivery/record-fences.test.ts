/** What a late process writes changes nothing: the fences are in the queries, so they are tried on a real database. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import {
  type DeliveryRepository,
  deliveryRepository,
} from "../../../services/delivery/records/delivery.repository.ts";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { attempted, exhausted, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import {
  type ReplayRepository,
  replayRepository,
} from "../../../services/delivery/replay/replay.repository.ts";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = Date.now();
const LEASE_MS = 60_000;
const RETRY = { status: "Pending", nextAttemptAt: NOW + 5_000 } as const;
const OUTCOME = {
  ok: false,
  statusCode: 500,
  errorKind: "HttpStatus",
  sealedExcerpt: "no",
  durationMs: 7,
  sentAt: new Date(NOW),
  retryAfterMs: null,
} as const;

let mongo: Mongo;
let deliveries: DeliveryRepository;
let replays: ReplayRepository;
beforeAll(async () => {
  mongo = await openTestDatabase("delivery");
  deliveries = deliveryRepository(mongo.connection);
  replays = replayRepository(mongo.connection);
});
afterAll(() => mongo.close());

async function aDelivery(claimableAtMs = NOW, partition = 0): Promise<DeliveryRecord> {
  const event = {
    _id: randomUUID(),
    partnerId: "p",
    eventType: "webhook.test",
    eventVersion: 1,
    customerId: null,
    occurredAt: new Date(NOW),
  };
  const times = { createdAtMs: NOW, nextAttemptAtMs: NOW, claimableAtMs };
  const delivery = firstDelivery(event, { endpointId: randomUUID(), partition, ...times });
  await deliveries.insert([delivery]);
  return delivery;
}

const refOf = ({ _id, partnerId }: DeliveryRecord, attemptNo = 1) => ({
  deliveryId: _id,
  partnerId,
  attemptNo,
});

const stored = (collection: string, _id: string) =>
  mongo.connection.collection<{ _id: string; queue?: string }>(collection).findOne({ _id });

describe("an update of a delivery", () => {
  test("for an attempt that was recorded before: changes nothing", async () => {
    const delivery = await aDelivery();
    const [deliveryId, first] = [delivery._id, refOf(delivery)];
    await deliveries.apply([attempted(first, OUTCOME, RETRY, NOW)]);
    const before = await stored("deliveries", deliveryId);
    expect(before).toMatchObject({ attemptCount: 1, attempts: [{ attemptNo: 1 }] });
    await deliveries.apply([attempted(first, { ...OUTCOME, statusCode: 502 }, RETRY, NOW)]);
    await deliveries.apply([putOff(first, NOW + 1)]);
    await deliveries.apply([exhausted(first, NOW)]);
    expect(await stored("deliveries", deliveryId)).toEqual(before);
  });

  test("for an attempt whose turn has not come: changes nothing", async () => {
    const before = await aDelivery();
    await deliveries.apply([attempted(refOf(before, 2), OUTCOME, RETRY, NOW)]);
    expect(await stored("deliveries", before._id)).toEqual(before);
  });

  test("after its end without another attempt: changes nothing", async () => {
    const delivery = await aDelivery();
    const [deliveryId, first] = [delivery._id, refOf(delivery)];
    await deliveries.apply([exhausted(first, NOW)]);
    const before = await stored("deliveries", deliveryId);
    expect(before).toMatchObject({ status: "Exhausted", attemptCount: 0 });
    await deliveries.apply([attempted(first, OUTCOME, RETRY, NOW)]);
    await deliveries.apply([putOff(first, NOW + 1)]);
    expect(await stored("deliveries", deliveryId)).toEqual(before);
  });
});

describe("a claim of deliveries", () => {
  const idsOf = (claimed: readonly { _id: string }[]) => claimed.map(({ _id }) => _id).sort();

  test("takes those that are due and leaves what another holds, until its lease ends", async () => {
    const due = await aDelivery();
    const later = await aDelivery(NOW + 1);
    const both = [due, later];
    expect(idsOf(await deliveries.claim(both, "mine", NOW, NOW + LEASE_MS))).toEqual([due._id]);
    expect(await deliveries.claim(both, "theirs", NOW, NOW + LEASE_MS)).toEqual([]);
    expect(await stored("deliveries", due._id)).toMatchObject({
      claim: "mine",
      claimableAt: new Date(NOW + LEASE_MS),
    });
    expect(await stored("deliveries", later._id)).toEqual(later);
    const afterLease = NOW + LEASE_MS;
    expect(idsOf(await deliveries.claim(both, "theirs", afterLease, afterLease + 1))).toEqual(
      idsOf([due, later]),
    );
  });

  test("by many at once: each delivery is given to one", async () => {
    const due = await Promise.all(Array.from({ length: 20 }, () => aDelivery()));
    const claims = await Promise.all(
      ["a", "b", "c", "d"].map((token) => deliveries.claim(due, token, NOW, NOW + LEASE_MS)),
    );
    expect(idsOf(claims.flat())).toEqual(idsOf(due));
  });

  test("takes none that has ended meanwhile", async () => {
    const ended = await aDelivery();
    await deliveries.apply([exhausted(refOf(ended), NOW)]);
    const before = await stored("deliveries", ended._id);
    expect(await deliveries.claim([ended], "mine", NOW, NOW + LEASE_MS)).toEqual([]);
    expect(await stored("deliveries", ended._id)).toEqual(before);
  });
});

describe("deliveries of a partition", () => {
  const heads = async (...partitions: number[]) =>
    (await deliveries.queueHeads(partitions)).map(({ queue }) => queue).sort();

  test("are found by their partition, the earliest of each queue", async () => {
    const [seven, seventy, eight] = [
      await aDelivery(NOW, 7),
      await aDelivery(NOW, 70),
      await aDelivery(NOW, 8),
    ];
    expect(await heads(7)).toEqual([seven.queue]);
    expect(await heads(8, 70)).toEqual([eight.queue, seventy.queue]);
    expect(await heads(9)).toEqual([]);
  });

  test("the search reads one key a queue, however many wait in it", async () => {
    const many = await Promise.all(Array.from({ length: 40 }, (_, i) => aDelivery(NOW + i, 20)));
    const collection = mongo.connection.collection<DeliveryRecord>("deliveries");
    await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
    const ids = many.map(({ _id }) => _id);
    await collection.updateMany({ _id: { $in: ids } }, { $set: { queue: many[0]?.queue ?? "" } });
    const spied = deliveryRepository(mongo.connection);
    await mongo.connection.db?.command({ profile: 2 });
    await spied.queueHeads([19, 20]);
    await mongo.connection.db?.command({ profile: 0 });
    const [seen] = await mongo.connection
      .collection("system.profile")
      .find({ "command.aggregate": "deliveries" })
      .sort({ ts: -1 })
      .toArray();
    expect(seen?.keysExamined).toBeLessThan(10);
  });

  test("attempts in flight of a dead process are due immediately; waiting retries keep their time", async () => {
    const inHand = await aDelivery(NOW + LEASE_MS, 30);
    const retry = await aDelivery(NOW, 30);
    const ref = refOf(retry);
    await deliveries.apply([attempted(ref, OUTCOME, RETRY, NOW)]);
    const elsewhere = await aDelivery(NOW + LEASE_MS, 31);
    expect(await deliveries.reclaim([30], NOW, LEASE_MS)).toBe(1);
    expect(await stored("deliveries", inHand._id)).toMatchObject({ claimableAt: new Date(NOW) });
    expect(await stored("deliveries", retry._id)).toMatchObject({
      claimableAt: new Date(RETRY.nextAttemptAt),
    });
    expect(await stored("deliveries", elsewhere._id)).toEqual(elsewhere);
  });
});

test("due deliveries wait for the end of an endpoint's pause; attempts in flight do not", async () => {
  const [due, inHand] = [await aDelivery(), await aDelivery(NOW + LEASE_MS)];
  const queue = due.queue ?? "";
  const collection = mongo.connection.collection<DeliveryRecord>("deliveries");
  await collection.updateOne({ _id: inHand._id }, { $set: { queue } });
  const until = new Date(NOW + 5 * LEASE_MS);
  await deliveries.putOffDue(queue, NOW, until.getTime());
  expect(await stored("deliveries", due._id)).toMatchObject({ claimableAt: until, nextAttemptAt: until });
  expect(await stored("deliveries", inHand._id)).toEqual({ ...inHand, queue });
});

describe("deliveries of an endpoint", () => {
  test("healed: only those that wait for a retry are pulled forward; disabled: all end but those under way", async () => {
    const [waiting, underWay] = [await aDelivery(), await aDelivery()];
    const queues = [waiting.queue ?? "", underWay.queue ?? ""];
    const ref = refOf(waiting);
    await deliveries.apply([attempted(ref, OUTCOME, RETRY, NOW)]);
    expect(await deliveries.pullForward(queues, NOW, 10)).toMatchObject([{ _id: waiting._id }]);
    expect(await stored("deliveries", waiting._id)).toMatchObject({
      nextAttemptAt: new Date(NOW),
      claimableAt: new Date(NOW),
    });
    expect(await deliveries.exhaust(queues, NOW, 10, [underWay._id])).toBe(1);
    expect(await stored("deliveries", waiting._id)).toMatchObject({ status: "Exhausted", attemptCount: 1 });
    expect(await stored("deliveries", underWay._id)).toEqual(underWay);
  });
});

describe("a replay job", () => {
  async function aJob(claimableAtMs = NOW): Promise<ReplayJob> {
    const job: ReplayJob = {
      _id: randomUUID(),
      partnerId: randomUUID(),
      number: 1,
      endpointId: "e",
      from: new Date(NOW - 1_000),
      to: new Date(NOW),
      eventTypes: ["webhook.test"],
      status: null,
      includeUnrouted: false,
      askedAt: new Date(NOW),
      cursor: null,
      created: 0,
      expected: 3,
      claimableAt: new Date(claimableAtMs),
      claim: null,
      finishedAt: null,
      isStopped: false,
    };
    await replays.add(job);
    return job;
  }
  const cursorAt = (eventId: string) => ({ occurredAt: new Date(NOW), eventId });
  const claim = async (token: string, atMs: number): Promise<ReplayJob> => {
    const job = await replays.claim(token, atMs, atMs + LEASE_MS);
    if (!job) throw new Error("no job");
    return job;
  };

  test("that another works on is not given out before its lease ends", async () => {
    const { _id } = await aJob();
    expect(await claim("mine", NOW)).toMatchObject({ _id, claim: "mine" });
    expect(await replays.claim("theirs", NOW, NOW + LEASE_MS)).toBeNull();
    const taken = await claim("theirs", NOW + LEASE_MS);
    expect(taken).toMatchObject({ _id, claim: "theirs" });
    await replays.finish(taken, NOW);
  });

  test("taken over by another: neither its cursor nor its end is moved by the one that lost it", async () => {
    const { _id } = await aJob();
    const lost = await claim("mine", NOW);
    const taken = await claim("theirs", NOW + LEASE_MS);
    expect(await replays.advance(taken, cursorAt("e2"), 2, NOW + 2 * LEASE_MS)).toBe(true);
    const before = await stored("replay_jobs", _id);
    expect(before).toMatchObject({ cursor: { eventId: "e2" }, created: 2 });
    expect(await replays.advance(lost, cursorAt("e1"), 1, NOW)).toBe(false);
    await replays.finish(lost, NOW);
    expect(await stored("replay_jobs", _id)).toEqual(before);
    await replays.finish(taken, NOW);
    expect(await replays.claim("anybody", NOW + 9 * LEASE_MS, NOW + 10 * LEASE_MS)).toBeNull();
  });
});
