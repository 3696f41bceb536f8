/** The collection of partners. */
import { Schema } from "mongoose";
import type { Scope } from "../../../shared/identity/caller.ts";

export type Partner = {
  _id: string;
  name: string;
  /** Made of the name and the id when the partner is created; never changes. */
  clientId: string;
  active: boolean;
  onboardingApproved: boolean;
  createdAt: Date;
  deactivatedAt: Date | null;
  /** Scopes that its API client may request; absent means all. */
  scopes?: Scope[];
  /** Set for a test partner: the live partner whose twin it is. */
  testOf?: string;
  /** Set for a live partner: the time since which it has a test twin. */
  sandboxSince?: Date;
  /** The last activation or deactivation; absent without one. */
  standingChangedAt?: Date;
  /** Rises when an Owner may leave, so that one of two concurrent changes checks again. */
  ownerChanges?: number;
  /** Services that were not yet notified of that change. */
  unreportedTo?: StandingService[];
};

export const STANDING_SERVICES = ["webhook-registry", "document"] as const;
export type StandingService = (typeof STANDING_SERVICES)[number];

export const partnerSchema = new Schema<Partner>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    clientId: { type: String, required: true },
    active: { type: Boolean, required: true },
    onboardingApproved: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    deactivatedAt: { type: Date, default: null },
    scopes: { type: [String], default: undefined },
    testOf: String,
    sandboxSince: Date,
    standingChangedAt: Date,
    ownerChanges: Number,
    unreportedTo: { type: [String], default: undefined },
  },
  { versionKey: false, strict: "throw" },
);
