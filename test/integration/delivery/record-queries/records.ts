/** Records of the delivery service and a database of their own, for the tests of its queries. */
import { randomUUID } from "node:crypto";
import { COLLECTIONS } from "../../../../services/delivery/collections.ts";
import type { DeliveryRecord } from "../../../../services/delivery/records/delivery.model.ts";
import type { EventRecord } from "../../../../services/delivery/records/event.model.ts";
import type { ReplayJob } from "../../../../services/delivery/replay/replay-job.model.ts";
import { ensureCollections } from "../../../../shared/mongo/ensure-collections.ts";
import { collectionOf, type Mongo } from "../../../../shared/mongo/mongo.ts";
import { openTestDatabase } from "../../../support/stage/test-database.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Of this day: what is older than retention the database removes, whenever it looks. */
export const MIDNIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS;
export const NOW = MIDNIGHT + 12 * HOUR_MS;
export const at = (ms: number) => new Date(NOW + ms);
export const TYPE = "business.profile.created";

export async function openRecords(): Promise<Mongo> {
  const mongo = await openTestDatabase("delivery");
  await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
  return mongo;
}

export const anEvent = (given: Partial<EventRecord>): EventRecord => ({
  ...{ _id: randomUUID(), partnerId: "p", eventType: TYPE, eventVersion: 1, occurredAt: at(0) },
  ...{ customerId: null, sequence: null, envelopeJson: "{}", traceparent: null },
  ...{ recordedAt: at(0), endpointId: "e" },
  ...given,
});
export const aDelivery = (given: Partial<DeliveryRecord>): DeliveryRecord => ({
  ...{ _id: randomUUID(), partnerId: "p", endpointId: "e", eventId: randomUUID(), eventType: TYPE },
  ...{ eventVersion: 1, occurredAt: at(0), customerId: null, replaySeries: null, createdAt: at(0) },
  ...{ status: "Delivered" as const, attemptCount: 1, attempts: [], lastStatusCode: 200 },
  ...{ nextAttemptAt: null, completedAt: at(0), counted: false, postponed: 0, lastFailure: null },
  ...given,
});
export const storeIn = async (mongo: Mongo, deliveries: readonly DeliveryRecord[]): Promise<void> =>
  void (await collectionOf(mongo.connection, COLLECTIONS.deliveries).insertMany([...deliveries]));

const WAITING = { status: "Pending", attemptCount: 0, lastStatusCode: null, completedAt: null } as const;
export const waiting = (queue: string, given: Partial<DeliveryRecord> = {}): DeliveryRecord =>
  aDelivery({ ...WAITING, queue, nextAttemptAt: at(0), claimableAt: at(0), ...given });

export const aJob = (given: Partial<ReplayJob>): ReplayJob => ({
  ...{ _id: randomUUID(), partnerId: randomUUID(), number: 1, endpointId: "e", from: at(0), to: at(1_000) },
  ...{ eventTypes: [TYPE], status: null, includeUnrouted: false, askedAt: at(2_000), cursor: null },
  ...{ created: 0, expected: 0, claimableAt: at(0), claim: null, finishedAt: null },
  isStopped: false,
  ...given,
});
