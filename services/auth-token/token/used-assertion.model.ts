/** The collection of assertion ids that were used; entries expire by themselves. */
import { type Connection, type Model, Schema } from "mongoose";

export type UsedAssertion = {
  /** Client id and jti: unique by being the key. */
  _id: string;
  expiresAt: Date;
};

const schema = new Schema<UsedAssertion>(
  { _id: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { collection: "used_assertions", versionKey: false, strict: "throw" },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const usedAssertionModel = (connection: Connection): Model<UsedAssertion> =>
  connection.model<UsedAssertion>("UsedAssertion", schema);
