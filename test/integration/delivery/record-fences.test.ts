/** What a late process writes changes nothing: the fences are in the queries, so they are tried on a real database. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import {
  type DeliveryRepository,
  deliveryRepository,
} from "../../../services/delivery/records/delivery.repository.ts";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { attempted, givenUp, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import {
  type ReplayRepository,
  replayRepository,
} from "../../../services/delivery/replay/replay.repository.ts";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const LEASE_MS = 60_000;
const RETRY = { status: "Pending", nextAttemptAt: NOW + 5_000 } as const;
const OUTCOME = {
  ok: false,
  statusCode: 500,
  errorKind: "HttpStatus",
  responseExcerpt: "no",
  durationMs: 7,
  sentAt: new Date(NOW).toISOString(),
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

async function aDelivery(claimableAtMs = NOW): Promise<DeliveryRecord> {
  const event = {
    _id: randomUUID(),
    partnerId: "p",
    eventType: "webhook.test",
    eventVersion: 1,
    customerId: null,
    occurredAt: new Date(NOW),
  };
  const times = { createdAtMs: NOW, nextAttemptAtMs: NOW, claimableAtMs };
  const delivery = firstDelivery(event, { endpointId: randomUUID(), ...times });
  await deliveries.insert([delivery]);
  return delivery;
}

const stored = (collection: string, _id: string) =>
  mongo.connection.collection<{ _id: string }>(collection).findOne({ _id });

describe("an update of a delivery", () => {
  test("for an attempt that was recorded before: changes nothing", async () => {
    const { _id: deliveryId } = await aDelivery();
    const first = { deliveryId, attemptNo: 1 };
    await deliveries.apply([attempted(first, OUTCOME, RETRY, NOW)]);
    const before = await stored("deliveries", deliveryId);
    expect(before).toMatchObject({ attemptCount: 1, attempts: [{ attemptNo: 1 }] });
    await deliveries.apply([attempted(first, { ...OUTCOME, statusCode: 502 }, RETRY, NOW)]);
    await deliveries.apply([putOff(first, { postponed: 0 }, NOW + 1)]);
    await deliveries.apply([givenUp(first, NOW)]);
    expect(await stored("deliveries", deliveryId)).toEqual(before);
  });

  test("for an attempt whose turn has not come: changes nothing", async () => {
    const before = await aDelivery();
    await deliveries.apply([attempted({ deliveryId: before._id, attemptNo: 2 }, OUTCOME, RETRY, NOW)]);
    expect(await stored("deliveries", before._id)).toEqual(before);
  });

  test("after its end without another attempt: changes nothing", async () => {
    const { _id: deliveryId } = await aDelivery();
    const first = { deliveryId, attemptNo: 1 };
    await deliveries.apply([givenUp(first, NOW)]);
    const before = await stored("deliveries", deliveryId);
    expect(before).toMatchObject({ status: "Exhausted", attemptCount: 0 });
    await deliveries.apply([attempted(first, OUTCOME, RETRY, NOW)]);
    await deliveries.apply([putOff(first, { postponed: 0 }, NOW + 1)]);
    expect(await stored("deliveries", deliveryId)).toEqual(before);
  });
});

describe("a claim of deliveries", () => {
  const idsOf = (claimed: readonly { _id: string }[]) => claimed.map(({ _id }) => _id).sort();

  test("takes those that are due and leaves what another holds, until its lease ends", async () => {
    const due = await aDelivery();
    const later = await aDelivery(NOW + 1);
    const both = [due._id, later._id];
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
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await aDelivery())._id));
    const claims = await Promise.all(
      ["a", "b", "c", "d"].map((token) => deliveries.claim(ids, token, NOW, NOW + LEASE_MS)),
    );
    expect(idsOf(claims.flat())).toEqual(ids.sort());
  });

  test("takes none that has ended meanwhile", async () => {
    const { _id: deliveryId } = await aDelivery();
    await deliveries.apply([givenUp({ deliveryId, attemptNo: 1 }, NOW)]);
    const before = await stored("deliveries", deliveryId);
    expect(await deliveries.claim([deliveryId], "mine", NOW, NOW + LEASE_MS)).toEqual([]);
    expect(await stored("deliveries", deliveryId)).toEqual(before);
  });
});

describe("deliveries of an endpoint", () => {
  test("healed: only those that wait for a retry are pulled forward; disabled: all end but those under way", async () => {
    const [waiting, underWay] = [await aDelivery(), await aDelivery()];
    const queues = [waiting.queue ?? "", underWay.queue ?? ""];
    const ref = { deliveryId: waiting._id, attemptNo: 1 };
    await deliveries.apply([attempted(ref, OUTCOME, RETRY, NOW)]);
    expect(await deliveries.pullForward(queues, NOW, 10)).toEqual([waiting._id]);
    expect(await stored("deliveries", waiting._id)).toMatchObject({
      nextAttemptAt: new Date(NOW),
      claimableAt: new Date(NOW),
    });
    expect(await deliveries.giveUp(queues, NOW, 10, [underWay._id])).toBe(1);
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
    };
    await replays.add(job, performance.now() + 60_000);
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
