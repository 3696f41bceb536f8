/** Records of the delivery service, and an endpoint as it gets it from the registry. */
import { randomUUID } from "node:crypto";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import type { EventRecord } from "../../../services/delivery/records/event.model.ts";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Start of today: the database removes records that are older than retention. */
export const MIDNIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS;
export const NOW = MIDNIGHT + 12 * HOUR_MS;
export const at = (ms: number) => new Date(NOW + ms);
export const TYPE = "business.profile.created";

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

export const anEndpoint = (given: Partial<DeliveryEndpoint> = {}): DeliveryEndpoint => ({
  ...{ endpointId: "e", partnerId: "p", url: "https://example.com", status: "Active" },
  ...{ consecutiveFailures: 0, disabledAt: null, liveSince: new Date(0).toISOString(), secrets: [] },
  ...given,
});
