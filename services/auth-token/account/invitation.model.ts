/** Invitations to a team; accepted, withdrawn and expired ones are removed. */
import { Schema } from "mongoose";
import type { Role } from "../../../shared/identity/caller.ts";

export type Invitation = {
  _id: string;
  partnerId: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** Hash of the token in the link; the server does not store the token. */
  tokenHash: string;
  /** Email of the Owner. */
  invitedBy: string;
  /** Id of the Owner. */
  inviterId: string;
  createdAt: Date;
  expiresAt: Date;
};

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;

export const invitationSchema = new Schema<Invitation>(
  {
    _id: text,
    partnerId: text,
    email: text,
    role: text,
    tokenHash: text,
    invitedBy: text,
    inviterId: text,
    createdAt: time,
    expiresAt: time,
  },
  { versionKey: false, strict: "throw" },
);
