/** A delivery as it is stored, with its attempts. */
import { type Connection, type Model, Schema } from "mongoose";
import type { AttemptView } from "../../../shared/contract/answers/delivery.ts";
import type { DeliveryStatus } from "../../../shared/contract/vocabularies.ts";
import { RECORD_KEPT_SECONDS } from "./retention.rules.ts";

export type AttemptRecord = Omit<AttemptView, "sentAt" | "responseExcerpt"> & {
  sentAt: Date;
  /** The start of the answer, sealed by excerpts.ts. */
  sealedExcerpt: string | null;
};

export type DeliveryRecord = {
  _id: string;
  partnerId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: Date;
  customerId: string | null;
  /** The replay it belongs to; null for the first delivery of an event. */
  replaySeries: string | null;
  createdAt: Date;
  status: DeliveryStatus;
  attemptCount: number;
  attempts: AttemptRecord[];
  lastStatusCode: number | null;
  /** By last-failure.rules.ts; null when the last attempt did not fail. */
  lastFailure: string | null;
  nextAttemptAt: Date | null;
  completedAt: Date | null;
  /** True once it is part of the tallies, which make the total of a long history cheap. */
  counted: boolean;

  /** While pending: its queue, and when the due loop may claim it. */
  queue?: string;
  claimableAt?: Date;
  /** Token of its last claim, until the attempt is recorded or put off. */
  claim?: string;
  /** How often the next attempt was put off by a fault of ours. */
  postponed: number;
};

const required = { required: true };
const optional = { default: null };

const attemptSchema = new Schema<AttemptRecord>(
  {
    attemptNo: { type: Number, ...required },
    sentAt: { type: Date, ...required },
    statusCode: { type: Number, ...optional },
    sealedExcerpt: { type: String, ...optional },
    durationMs: { type: Number, ...required },
    errorKind: { type: String, ...optional },
  },
  { _id: false },
);

const deliverySchema = new Schema<DeliveryRecord>(
  {
    _id: { type: String, ...required },
    partnerId: { type: String, ...required },
    endpointId: { type: String, ...required },
    eventId: { type: String, ...required },
    eventType: { type: String, ...required },
    eventVersion: { type: Number, ...required },
    occurredAt: { type: Date, ...required },
    customerId: { type: String, ...optional },
    replaySeries: { type: String, ...optional },
    createdAt: { type: Date, ...required },
    status: { type: String, ...required },
    attemptCount: { type: Number, ...required },
    attempts: [attemptSchema],
    lastStatusCode: { type: Number, ...optional },
    lastFailure: { type: String, ...optional },
    nextAttemptAt: { type: Date, ...optional },
    completedAt: { type: Date, ...optional },
    counted: { type: Boolean, ...required },
    queue: String,
    claimableAt: Date,
    claim: String,
    postponed: { type: Number, ...required },
  },
  { collection: "deliveries", versionKey: false, strict: "throw" },
);

/** Serves every page of the history: queries enumerate the leading fields, and MongoDB merges by time. */
deliverySchema.index(
  { partnerId: 1, counted: 1, status: 1, eventType: 1, occurredAt: -1, _id: -1 },
  { name: "history" },
);
/** What people look for in the history. Partial, so that a delivery that no such search can find costs nothing. */
const NEWEST_FIRST = { occurredAt: -1, _id: -1 } as const;
deliverySchema.index(
  { customerId: 1, ...NEWEST_FIRST },
  { name: "customer", partialFilterExpression: { customerId: { $gt: "" } } },
);
deliverySchema.index(
  { replaySeries: 1, status: 1, ...NEWEST_FIRST },
  { name: "series", partialFilterExpression: { replaySeries: { $gt: "" } } },
);
deliverySchema.index(
  { partnerId: 1, lastFailure: 1, ...NEWEST_FIRST },
  { name: "failures", partialFilterExpression: { lastFailure: { $gt: "" } } },
);
/** Sparse: holds pending deliveries only, because both fields are removed at the end. Begins with the partition. */
deliverySchema.index({ queue: 1, claimableAt: 1 }, { name: "waiting", sparse: true });

deliverySchema.index({ createdAt: 1 }, { name: "expiry", expireAfterSeconds: RECORD_KEPT_SECONDS });

export const deliveryModel = (connection: Connection): Model<DeliveryRecord> =>
  connection.model<DeliveryRecord>("Delivery", deliverySchema);
