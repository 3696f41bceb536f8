/** The collection of webhook endpoints: one a partner. */
import { type Connection, type Model, Schema } from "mongoose";
import type { EndpointHealth } from "./health.rules.ts";
import type { StoredSecret } from "./secret.rules.ts";

export const ENDPOINTS = "webhook_endpoints";

export type Endpoint = EndpointHealth & {
  _id: string;
  partnerId: string;
  /** As the partner gave it. */
  url: string;
  /** Newest first; at most five. */
  secrets: StoredSecret[];
  createdAt: Date;
  updatedAt: Date;
  /** When it was registered, or last left Disabled. */
  liveSince: Date;
  /** Set while its partner is inactive: nothing is sent to it then, whatever its own status. */
  partnerInactiveSince: Date | null;
  /** Raised by every change; changes are compare-and-set on it. */
  version: number;
};

const text = { type: String, required: true };
const count = { type: Number, required: true };
const date = { type: Date, required: true };
const dateOrNull = { type: Date, default: null };

const secretSchema = new Schema<StoredSecret>(
  { id: text, sealed: text, createdAt: date, notAfter: dateOrNull },
  { _id: false, strict: "throw" },
);

const schema = new Schema<Endpoint>(
  {
    _id: text,
    partnerId: text,
    url: text,
    secrets: [secretSchema],
    status: text,
    consecutiveFailures: count,
    goneInARow: count,
    notPublicInARow: count,
    hasExhausted: { type: Boolean, required: true },
    failingSince: dateOrNull,
    degradedSince: dateOrNull,
    disabledAt: dateOrNull,
    disabledReason: { type: String, default: null },
    healedAt: dateOrNull,
    judgedUntil: date,
    createdAt: date,
    updatedAt: date,
    liveSince: date,
    partnerInactiveSince: dateOrNull,
    version: count,
  },
  { collection: ENDPOINTS, versionKey: false, strict: "throw" },
);
schema.index({ partnerId: 1 }, { unique: true });
/** For the sweep: endpoints that are long without success, secrets whose overlap is over. */
schema.index({ status: 1, failingSince: 1 });
schema.index({ "secrets.notAfter": 1 });

export const endpointModel = (connection: Connection): Model<Endpoint> =>
  connection.model<Endpoint>("WebhookEndpoint", schema);
