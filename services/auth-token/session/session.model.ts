/** The collection of dashboard sessions. */
import { Schema } from "mongoose";

export type Session = {
  /** Hash of the cookie's value; the server does not store the value. */
  _id: string;
  userId: string;
  partnerId: string | null;
  /** When the person signed in. A password change passes it on to the next session. */
  createdAt: Date;
  /** The person's version when the sign-in was checked. */
  credentialVersion: number;
  lastSeenAt: Date;
  /** Twelve hours after the login, whatever happens. */
  expiresAt: Date;
};

export const sessionSchema = new Schema<Session>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    partnerId: { type: String, default: null },
    createdAt: { type: Date, required: true },
    credentialVersion: { type: Number, required: true },
    lastSeenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: "throw" },
);
