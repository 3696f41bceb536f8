/** The collection of counted login tries. */
import { type Connection, type Model, Schema } from "mongoose";

export type LoginThrottle = {
  _id: string;
  /** Tries so far; a successful one is not counted. */
  tries: number;
  blockedUntil: Date;
  expiresAt: Date;
};

const schema = new Schema<LoginThrottle>(
  { _id: { type: String, required: true }, tries: Number, blockedUntil: Date, expiresAt: Date },
  { collection: "login_throttles", versionKey: false, strict: "throw" },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const loginThrottleModel = (connection: Connection): Model<LoginThrottle> =>
  connection.model<LoginThrottle>("LoginThrottle", schema);
