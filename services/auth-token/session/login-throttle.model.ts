/** Counted login attempts. */
import { Schema } from "mongoose";

export type LoginThrottle = {
  _id: string;
  /** Attempts so far; a successful one is not counted. */
  tries: number;
  blockedUntil: Date;
  expiresAt: Date;
};

export const loginThrottleSchema = new Schema<LoginThrottle>(
  { _id: { type: String, required: true }, tries: Number, blockedUntil: Date, expiresAt: Date },
  { versionKey: false, strict: "throw" },
);
