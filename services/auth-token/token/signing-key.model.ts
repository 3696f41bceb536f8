/** The collection of keys that sign access tokens. */
import { type Connection, type Model, Schema } from "mongoose";

export const SIGNING_KEYS = "signing_keys";

export type SigningKeyRecord = {
  /** The kid of tokens and of the key set. */
  _id: string;
  /** Rises by one per key; unique, so that two replicas cannot both make the next one. */
  ordinal: number;
  /** The public x of the Ed25519 key (RFC 8037). */
  x: string;
  /** PKCS #8 PEM, encrypted with a field key. */
  sealedPrivateKey: string;
  createdAt: Date;
  /** Published before it signs, so that every gateway knows it in time. */
  signsFrom: Date;
};

const schema = new Schema<SigningKeyRecord>(
  {
    _id: { type: String, required: true },
    ordinal: { type: Number, required: true },
    x: { type: String, required: true },
    sealedPrivateKey: { type: String, required: true },
    createdAt: { type: Date, required: true },
    signsFrom: { type: Date, required: true },
  },
  { collection: SIGNING_KEYS, versionKey: false, strict: "throw" },
);
schema.index({ ordinal: 1 }, { unique: true });

export const signingKeyModel = (connection: Connection): Model<SigningKeyRecord> =>
  connection.model<SigningKeyRecord>("SigningKey", schema);
