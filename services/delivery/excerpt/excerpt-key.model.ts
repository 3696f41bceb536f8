/** The collection of keys that seal receivers' answers, one a day. */
import { type Connection, type Model, Schema } from "mongoose";

export const EXCERPT_KEYS = "excerpt_keys";

export type ExcerptKey = {
  /** The UTC day, such as 2026-11-19. */
  _id: string;
  /** 32 bytes in base64url, encrypted with a field key. */
  sealedKey: string;
  expiresAt: Date;
};

const schema = new Schema<ExcerptKey>(
  {
    _id: { type: String, required: true },
    sealedKey: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: EXCERPT_KEYS, versionKey: false, strict: "throw" },
);

schema.index({ expiresAt: 1 }, { name: "expiry", expireAfterSeconds: 0 });

export const excerptKeyModel = (connection: Connection): Model<ExcerptKey> =>
  connection.model<ExcerptKey>("ExcerptKey", schema);
