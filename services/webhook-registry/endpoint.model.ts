/** The collection of webhook endpoints: one a partner. */
import { Schema } from "mongoose";
import type { EndpointHealth } from "./health.rules.ts";
import type { StoredSecret } from "./secret.rules.ts";

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

export const endpointSchema = new Schema<Endpoint>(
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
  { versionKey: false, strict: "throw" },
);
