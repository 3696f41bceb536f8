/** The collection of people who sign in. */
import { Schema } from "mongoose";
import type { Role } from "../../../shared/identity/caller.ts";

export type User = {
  _id: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** Null for the operator's own people. */
  partnerId: string | null;
  /** PHC string of argon2id. */
  passwordHash: string;
  createdAt: Date;
  passwordChangedAt: Date;
  /** Rises with the password, the second factor, the role and each end of sessions; a session has the version of its time. */
  credentialVersion: number;
  /** Hashes of addresses this person signed in from; others' failures do not delay these. */
  knownAddresses: string[];
  /** Set when the person left: no login, and no session is valid. */
  disabledAt: Date | null;
  /** An analyst who may release the claims of colleagues. */
  isLead?: boolean;
  secondFactor?: SecondFactor | null;
  /** The sealed secret of a second factor that is being set up. */
  pendingSecondFactor?: string | null;
};

export type SecondFactor = {
  /** The shared secret of the authenticator. */
  sealed: string;
  since: Date;
  /** The time step of the last code that was used; older ones no longer count. */
  usedUpTo: number;
  recoveryHashes: string[];
};

/** Without what only a login needs. */
export type UserFacts = Omit<
  User,
  "passwordHash" | "knownAddresses" | "secondFactor" | "pendingSecondFactor"
>;

const secondFactorSchema = new Schema<SecondFactor>(
  { sealed: String, since: Date, usedUpTo: Number, recoveryHashes: [String] },
  { _id: false, strict: "throw" },
);

export const userSchema = new Schema<User>(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    role: { type: String, required: true },
    partnerId: { type: String, default: null },
    passwordHash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    passwordChangedAt: { type: Date, required: true },
    credentialVersion: { type: Number, required: true },
    knownAddresses: [String],
    disabledAt: { type: Date, default: null },
    isLead: Boolean,
    secondFactor: { type: secondFactorSchema, default: null },
    pendingSecondFactor: { type: String, default: null },
  },
  { versionKey: false, strict: "throw" },
);
