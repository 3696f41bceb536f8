/** Fences of deliveries, events and replays: a late write, or one of another process, changes nothing. */
import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import { deliveryRepository } from "../../../services/delivery/records/delivery.repository.ts";
import { attempted, exhausted, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import { eventRepository } from "../../../services/delivery/records/event.repository.ts";
import { replayRepository } from "../../../services/delivery/replay/replay.repository.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { aJob, anEvent, at, NOW, waiting } from "../../support/builders/delivery-records.ts";
import { idsOf, several } from "../../support/builders/records.ts";
import { fences } from "../../support/fences.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const { connection } = databaseOfFile("delivery", COLLECTIONS);
const deliveries = deliveryRepository(connection);
const events = eventRepository(connection);
const replays = replayRepository(connection);

const PLACE = ["_id", "partnerId"] as const;
const TURN = ["_id", "partnerId", "attemptCount"] as const;
const LEASE_MS = 60_000;
const RETRY = { status: "Pending", nextAttemptAt: NOW + 5_000 } as const;
const SENT = {
  statusCode: 500,
  errorKind: "HttpStatus",
  sealedExcerpt: "no",
  durationMs: 7,
  sentAt: at(0),
} as const;
const NOT_MADE = {
  statusCode: null,
  sealedExcerpt: null,
  durationMs: 0,
  errorKind: "EndpointDisabled",
} as const;
const ENDED = { "it has ended": { status: "Exhausted" } } as const;
const CLAIMED = { given: { claim: "mine" } };
const LATE = { ...ENDED, "its attempt was recorded": { attemptCount: 1 } };
const refOf = ({ _id, partnerId, attemptCount }: DeliveryRecord) => ({
  ...{ deliveryId: _id, partnerId, attemptNo: attemptCount + 1 },
});
const aDelivery = (given: Partial<DeliveryRecord> = {}) =>
  waiting(`p0000.${randomUUID()}`, { partnerId: randomUUID(), ...given });

fences(connection, COLLECTIONS.deliveries, aDelivery, {
  load: { by: PLACE, call: (read) => deliveries.load([read]) },
  attempted: {
    ...CLAIMED,
    by: TURN,
    unless: LATE,
    call: (read) =>
      deliveries.apply([attempted(refOf(read), { ...SENT, ok: false, retryAfterMs: null }, RETRY, NOW)]),
    becomes: {
      ...{ attemptCount: 1, lastStatusCode: 500, lastFailure: expect.any(String) as never },
      ...{ nextAttemptAt: at(5_000), claimableAt: at(5_000), claim: undefined },
      attempts: [{ ...SENT, attemptNo: 1 }],
    },
    once: true,
  },
  putOff: {
    ...CLAIMED,
    by: TURN,
    unless: LATE,
    call: (read) => deliveries.apply([putOff(refOf(read), NOW + 1)]),
    becomes: { claimableAt: at(1), claim: undefined },
  },
  exhausted: {
    ...CLAIMED,
    by: TURN,
    unless: LATE,
    call: (read) => deliveries.apply([exhausted(refOf(read), NOW)]),
    becomes: {
      ...{ status: "Exhausted" as const, lastFailure: expect.any(String) as never, nextAttemptAt: null },
      ...{ completedAt: at(0), attempts: [{ ...NOT_MADE, attemptNo: 1, sentAt: at(0) }] },
      ...{ queue: undefined, claimableAt: undefined, claim: undefined },
    },
    once: true,
  },
  claim: {
    by: PLACE,
    given: { claim: "of a lease that ends now" },
    unless: { ...ENDED, "another claim lasts": { claim: "theirs", claimableAt: at(1) } },
    call: (read) => deliveries.claim([read], "mine", NOW, NOW + LEASE_MS),
    becomes: { claim: "mine", claimableAt: at(LEASE_MS) },
  },
});

test("a claim by many at the same time: each delivery is given to one", async () => {
  const due = several(20, () => aDelivery());
  await collectionOf(connection, COLLECTIONS.deliveries).insertMany(due);
  const claims = await Promise.all(
    ["a", "b", "c", "d"].map((token) => deliveries.claim(due, token, NOW, NOW + LEASE_MS)),
  );
  expect(idsOf(claims.flat()).toSorted()).toEqual(idsOf(due).toSorted());
});

test("the search for the earliest delivery of each queue reads one key a queue", async () => {
  const queued = several(40, (index) => waiting("p0020.long", { claimableAt: at(index) }));
  await collectionOf(connection, COLLECTIONS.deliveries).insertMany(queued);
  await connection.db?.command({ profile: 2 });
  await deliveries.queueHeads([19, 20]);
  await connection.db?.command({ profile: 0 });
  const [seen] = await connection
    .collection("system.profile")
    .find({ "command.aggregate": "deliveries" })
    .sort({ ts: -1 })
    .toArray();
  expect(seen?.keysExamined).toBeLessThan(10);
});

const UNROUTED = { endpointId: null };

fences(connection, COLLECTIONS.events, (given) => anEvent({ partnerId: randomUUID(), ...given }), {
  find: { by: PLACE, call: ({ partnerId, _id }) => events.find(partnerId, _id) },
  route: {
    by: PLACE,
    given: UNROUTED,
    unless: { "it was sent to an endpoint": { endpointId: "e" } },
    call: (read) => events.route([read], "late"),
    becomes: { endpointId: "late" },
    once: true,
  },
});

const CURSOR = { occurredAt: at(0), eventId: "e2" };
const BY_CLAIM = { by: ["_id", "claim"], given: { claim: "mine" } } as const;
const FINISHED = { "it is finished": { claimableAt: null, finishedAt: at(0) } };

fences(connection, COLLECTIONS.replayJobs, aJob, {
  last: { by: ["partnerId"], call: ({ partnerId }) => replays.last(partnerId) },
  list: { by: ["partnerId"], call: ({ partnerId }) => replays.list(partnerId, 9) },
  find: { by: PLACE, call: ({ partnerId, _id }) => replays.find(partnerId, _id) },
  claim: {
    by: [],
    others: { claimableAt: null },
    unless: { ...FINISHED, "another process works on it": { claimableAt: at(1) } },
    call: () => replays.claim("mine", NOW, NOW + LEASE_MS),
    becomes: { claim: "mine", claimableAt: at(LEASE_MS) },
    once: true,
  },
  advance: {
    ...BY_CLAIM,
    unless: { "another process claimed it": { claim: "theirs" } },
    call: (read) => replays.advance(read, CURSOR, 2, NOW + LEASE_MS),
    becomes: { cursor: CURSOR, created: 2, claimableAt: at(LEASE_MS) },
  },
  finish: {
    ...BY_CLAIM,
    unless: { "another process claimed it": { claim: "theirs" } },
    call: (read) => replays.finish(read, NOW),
    becomes: { claimableAt: null, finishedAt: at(0) },
  },
  stop: {
    given: { claim: "mine" },
    unless: FINISHED,
    call: ({ _id }) => connection.transaction((session) => replays.stop(_id, NOW, session)),
    becomes: { finishedAt: at(0), isStopped: true, claimableAt: null, claim: null },
    once: true,
  },
});
