/** Reads and writes the keys that sign access tokens. */
import type { Connection } from "mongoose";
import { collectionOf, createNew, modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type SigningKeyRecord, signingKeySchema } from "./signing-key.model.ts";

export type SigningKeyRepository = ReturnType<typeof signingKeyRepository>;

export type SealedAnew = { before: SigningKeyRecord; sealedPrivateKey: string };

export function signingKeyRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.signingKeys, signingKeySchema);
  return {
    /** Newest first. */
    list: (): Promise<SigningKeyRecord[]> => model.find().sort({ ordinal: -1 }).lean().exec(),
    /** False when another replica made the key of this ordinal. */
    insert: (key: SigningKeyRecord): Promise<boolean> => createNew(model, key),
    pageAfter: (kid: string, limit: number): Promise<SigningKeyRecord[]> =>
      model
        .find({ _id: { $gt: kid } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean()
        .exec(),
    /** Leaves out keys that somebody else sealed anew since they were read. */
    async replaceSealed(moves: readonly SealedAnew[]): Promise<void> {
      const writes = moves.map(({ before: { _id, sealedPrivateKey: was }, sealedPrivateKey }) => ({
        updateOne: { filter: { _id, sealedPrivateKey: was }, update: { $set: { sealedPrivateKey } } },
      }));
      await collectionOf(connection, COLLECTIONS.signingKeys).bulkWrite(writes, { ordered: false });
    },
    async remove(kids: readonly string[]): Promise<void> {
      await model.deleteMany({ _id: { $in: [...kids] } });
    },
  };
}
