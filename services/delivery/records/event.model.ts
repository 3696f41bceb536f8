/** An event as the delivery service keeps it. */
import type { mongo } from "mongoose";

export type EventRecord = {
  _id: string;
  partnerId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: Date;
  customerId: string | null;
  sequence: number | null;
  /** The exact bytes every receiver gets. */
  envelopeJson: string;
  traceparent: string | null;
  recordedAt: Date;
  /** Its position in the feed, assigned by the database; absent until the previous event of the customer has one. */
  feedAt?: mongo.Timestamp;
  /** The endpoint at its recording, or later by route-late.ts; null without a live endpoint (unrouted). */
  endpointId: string | null;
};
