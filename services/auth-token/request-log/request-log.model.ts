/** The collections of the request log: one document a request, and how many were not kept, by hour. */
import { type Connection, type Model, Schema } from "mongoose";

export type StoredRequest = {
  _id: string;
  partnerId: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  code: string | null;
  fields: string[];
  requestId: string;
  durationMs: number;
  /** Only of a request that was refused or failed, for the list of these. */
  isFailed?: true;
};

export type DroppedRequests = {
  /** Partner and hour. */
  _id: string;
  partnerId: string;
  at: Date;
  count: number;
};

export const KEPT_SECONDS = 7 * 24 * 3_600;

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const time = { type: Date, required: true } as const;

const requestSchema = new Schema<StoredRequest>(
  {
    _id: text,
    partnerId: text,
    at: time,
    method: text,
    route: text,
    status: number,
    code: { type: String, default: null },
    fields: [String],
    requestId: text,
    durationMs: number,
    isFailed: Boolean,
  },
  { collection: "request_log", versionKey: false, strict: "throw" },
);
requestSchema.index({ partnerId: 1, _id: -1 });
requestSchema.index({ partnerId: 1, isFailed: 1, _id: -1 }, { partialFilterExpression: { isFailed: true } });
requestSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });

const droppedSchema = new Schema<DroppedRequests>(
  { _id: text, partnerId: text, at: time, count: number },
  { collection: "request_log_dropped", versionKey: false, strict: "throw" },
);
droppedSchema.index({ partnerId: 1, at: 1 });
droppedSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const requestModel = (connection: Connection): Model<StoredRequest> =>
  connection.model<StoredRequest>("LoggedRequest", requestSchema);

export const droppedModel = (connection: Connection): Model<DroppedRequests> =>
  connection.model<DroppedRequests>("DroppedRequests", droppedSchema);
