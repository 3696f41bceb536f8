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
  /** What its API client may ask for; all scopes unless an operator said otherwise. */
  scopes?: Scope[];
  /** Only of a test partner: the live one whose twin it is. */
  testOf?: string;
  /** Only of a live partner: since when it has a test twin. */
  sandboxSince?: Date;
  /** When it was last made active or inactive; absent if never, or before this was kept. */
  standingChangedAt?: Date;
  /** Rises when an Owner may go, so that of two such changes at once one has to look again. */
  ownerChanges?: number;
  /** Who has not heard of that yet. Absent means that nobody was told. */
  untold?: ToldService[];
};

export const TOLD_SERVICES = ["webhook-registry", "document"] as const;
export type ToldService = (typeof TOLD_SERVICES)[number];

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
    untold: { type: [String], default: undefined },
  },
  { versionKey: false, strict: "throw" },
);
