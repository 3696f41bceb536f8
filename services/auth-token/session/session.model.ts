/** The collection of dashboard sessions. */
import { type Connection, type Model, Schema } from "mongoose";

export type Session = {
  /** Hash of the cookie's value; the value itself is nowhere on the server. */
  _id: string;
  userId: string;
  partnerId: string | null;
  /** When the person signed in. A password change passes it on to the next session. */
  createdAt: Date;
  /** That of the person when the sign-in was checked. Absent counts as 0. */
  credentialVersion?: number;
  lastSeenAt: Date;
  /** Twelve hours after the login, whatever happens. */
  expiresAt: Date;
};

const schema = new Schema<Session>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    partnerId: { type: String, default: null },
    createdAt: { type: Date, required: true },
    credentialVersion: Number,
    lastSeenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: "sessions", versionKey: false, strict: "throw" },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ userId: 1 });

export const sessionModel = (connection: Connection): Model<Session> =>
  connection.model<Session>("Session", schema);
