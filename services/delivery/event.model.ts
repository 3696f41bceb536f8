import { type Connection, type Model, Schema } from "mongoose";

/** An event as the delivery service keeps it. */
export type EventRecord = {
  /** The event id. */
  _id: string;
  partnerId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: Date;
  customerId: string | null;
  sequence: number | null;
  /** The exact bytes every receiver gets; null once purged. */
  envelopeJson: string | null;
  /** The service whose outbox it came from. */
  source: string;
  traceparent: string | null;
  recordedAt: Date;
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
    envelopeJson: { type: String, default: null },
    source: { type: String, ...required },
    traceparent: { type: String, default: null },
    recordedAt: { type: Date, ...required },
  },
  { collection: "events", versionKey: false, strict: "throw" },
);

export const eventModel = (connection: Connection): Model<EventRecord> =>
  connection.model<EventRecord>("Event", eventSchema);
