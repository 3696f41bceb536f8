/** The collection of invitations to a team; one that is accepted or withdrawn is removed, one that ends removes itself. */
import { Schema } from "mongoose";
import type { Role } from "../../../shared/identity/caller.ts";

export type Invitation = {
  _id: string;
  partnerId: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** Hash of what the link holds; that itself is nowhere on the server. */
  tokenHash: string;
  /** Email of the Owner. */
  invitedBy: string;
  /** The Owner. Absent in invitations of the release before. */
  inviterId?: string;
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
    inviterId: String,
    createdAt: time,
    expiresAt: time,
  },
  { versionKey: false, strict: "throw" },
);
