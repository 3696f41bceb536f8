/** An event as the delivery service keeps it. */
import type { mongo } from "mongoose";

export type EventRecord = {
  /** The event id. */
  _id: string;
  partnerId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: Date;
  customerId: string | null;
  sequence: number | null;
  /** The exact bytes every receiver gets. */
  envelopeJson: string;
  /** The service whose outbox it came from. */
  source: string;
  traceparent: string | null;
  recordedAt: Date;
  /** Its place in the feed, made by the database; absent until the event before it of the same customer has one. */
  feedAt?: mongo.Timestamp;
  /** Where it was sent when it was recorded, or later by route-late.ts; null when there was no live endpoint (unrouted). */
  endpointId: string | null;
};
