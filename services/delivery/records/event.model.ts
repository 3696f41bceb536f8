/** An event as the delivery service keeps it. */
import { type Connection, type Model, type mongo, Schema } from "mongoose";
import { EVENT_KEPT_SECONDS } from "./retention.rules.ts";

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

const required = { required: true };

const eventSchema = new Schema<EventRecord>(
  {
    _id: { type: String, ...required },
    partnerId: { type: String, ...required },
    eventType: { type: String, ...required },
    eventVersion: { type: Number, ...required },
    occurredAt: { type: Date, ...required },
    customerId: { type: String, default: null },
    sequence: { type: Number, default: null },
    envelopeJson: { type: String, ...required },
    source: { type: String, ...required },
    traceparent: { type: String, default: null },
    recordedAt: { type: Date, ...required },
    feedAt: Schema.Types.Mixed,
    endpointId: { type: String, default: null },
  },
  { collection: "events", versionKey: false, strict: "throw" },
);

/** Covers the queries of a replay window: they read index keys only. */
eventSchema.index(
  { partnerId: 1, occurredAt: 1, _id: 1, endpointId: 1, eventType: 1, recordedAt: 1 },
  { name: "window" },
);

/** For the search of events that were wrongly sent nowhere; an event that is sent somewhere is not in it. */
eventSchema.index(
  { partnerId: 1, recordedAt: 1 },
  { name: "unrouted", partialFilterExpression: { endpointId: null } },
);

/** For the feed: events in their order. The id counts only behind mongos, where two shards may make the same time. */
eventSchema.index({ partnerId: 1, feedAt: 1, _id: 1 }, { name: "order" });

/** Events without a place in the feed; an event that has one is not in it. */
eventSchema.index({ recordedAt: 1, _id: 1 }, { name: "unplaced", partialFilterExpression: { feedAt: null } });

/** For the event before another one of the same customer. */
eventSchema.index({ customerId: 1, sequence: 1 }, { name: "sequence" });

eventSchema.index({ recordedAt: 1 }, { name: "expiry", expireAfterSeconds: EVENT_KEPT_SECONDS });

export const eventModel = (connection: Connection): Model<EventRecord> =>
  connection.model<EventRecord>("Event", eventSchema);
