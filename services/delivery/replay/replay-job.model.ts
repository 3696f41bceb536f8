/** A replay of a window that is under way or done; a process that dies leaves it to another, at its cursor. */
import { type Connection, type Model, Schema } from "mongoose";
import type { DeliveryStatus } from "../../../shared/contract/vocabularies.ts";

export type ReplayJob = {
  /** The replay series. */
  _id: string;
  partnerId: string;
  /** Rises by one with each replay of the partner, so that of two that want to be the next one becomes it. */
  number: number;
  endpointId: string;
  from: Date;
  to: Date;
  eventTypes: string[];
  status: DeliveryStatus | null;
  includeUnrouted: boolean;
  /** Events recorded later do not belong to it. */
  askedAt: Date;
  /** The last event that was dealt with. */
  cursor: { occurredAt: Date; eventId: string } | null;
  /** How many were planned until now, and how many there will be. */
  created: number;
  expected: number;
  /** Free to take from then on; null when it is done. */
  claimableAt: Date | null;
  claim: string | null;
  finishedAt: Date | null;
  /** Finished early, because a person wanted it. */
  isStopped: boolean;
};

const required = { required: true };
const optional = { default: null };

const replayJobSchema = new Schema<ReplayJob>(
  {
    _id: { type: String, ...required },
    partnerId: { type: String, ...required },
    number: { type: Number, ...required },
    endpointId: { type: String, ...required },
    from: { type: Date, ...required },
    to: { type: Date, ...required },
    eventTypes: [String],
    status: { type: String, ...optional },
    includeUnrouted: { type: Boolean, ...required },
    askedAt: { type: Date, ...required },
    cursor: { type: Schema.Types.Mixed, ...optional },
    created: { type: Number, ...required },
    expected: { type: Number, ...required },
    claimableAt: { type: Date, ...optional },
    claim: { type: String, ...optional },
    finishedAt: { type: Date, ...optional },
    isStopped: { type: Boolean, ...required },
  },
  { collection: "replay_jobs", versionKey: false, strict: "throw" },
);

const KEPT_SECONDS = 90 * 24 * 60 * 60;

replayJobSchema.index({ claimableAt: 1 }, { name: "open" });
replayJobSchema.index({ partnerId: 1, number: 1 }, { name: "line", unique: true });
replayJobSchema.index({ finishedAt: 1 }, { name: "expiry", expireAfterSeconds: KEPT_SECONDS });

export const replayJobModel = (connection: Connection): Model<ReplayJob> =>
  connection.model<ReplayJob>("ReplayJob", replayJobSchema);
