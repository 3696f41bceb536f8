/** The collection of budgets per minute. */
import { type Connection, type Model, Schema } from "mongoose";

/** How much of a budget is given out in one minute. */
type QuotaCounter = { _id: string; used: number; granted: number; expiresAt: Date };

const schema = new Schema<QuotaCounter>(
  { _id: { type: String, required: true }, used: Number, granted: Number, expiresAt: Date },
  { collection: "quota_counters", versionKey: false, strict: "throw" },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const quotaModel = (connection: Connection): Model<QuotaCounter> =>
  connection.model<QuotaCounter>("QuotaCounter", schema);
