/** Reads and writes the keys that sign access tokens. */
import type { Connection } from "mongoose";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { SigningKeyRecord } from "./signing-key.rules.ts";

export type SigningKeyRepository = ReturnType<typeof signingKeyRepository>;

export type SealedAnew = { before: SigningKeyRecord; sealedPrivateKey: string };

export function signingKeyRepository(connection: Connection) {
  const keys = collectionOf(connection, COLLECTIONS.signingKeys);
  return {
    /** Newest first. */
    list: (): Promise<SigningKeyRecord[]> => keys.find().sort({ ordinal: -1 }).toArray(),
    /** False when another replica created the key of this ordinal. */
    insert: async (key: SigningKeyRecord): Promise<boolean> => (await insertNew(keys, [key])).size === 0,
    pageAfter: (kid: string, limit: number): Promise<SigningKeyRecord[]> =>
      keys
        .find({ _id: { $gt: kid } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** Skips keys that another process sealed again since they were read. */
    async replaceSealed(moves: readonly SealedAnew[]): Promise<void> {
      const writes = moves.map(({ before: { _id, sealedPrivateKey: was }, sealedPrivateKey }) => ({
        updateOne: { filter: { _id, sealedPrivateKey: was }, update: { $set: { sealedPrivateKey } } },
      }));
      await keys.bulkWrite(writes, { ordered: false });
    },
    async remove(kids: readonly string[]): Promise<void> {
      await keys.deleteMany({ _id: { $in: [...kids] } });
    },
  };
}
