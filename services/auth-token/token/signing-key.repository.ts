/** Reads and writes the keys that sign access tokens. */
import type { Connection } from "mongoose";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { SigningKeyRecord } from "./signing-key.model.ts";

export type SigningKeyRepository = ReturnType<typeof signingKeyRepository>;

export type SealedAnew = { before: SigningKeyRecord; sealedPrivateKey: string };

export function signingKeyRepository(connection: Connection) {
  const stored = collectionOf(connection, COLLECTIONS.signingKeys);
  return {
    /** Newest first. */
    list: (): Promise<SigningKeyRecord[]> => stored.find().sort({ ordinal: -1 }).toArray(),
    /** False when another replica made the key of this ordinal. */
    insert: async (key: SigningKeyRecord): Promise<boolean> => (await insertNew(stored, [key])).size === 0,
    pageAfter: (kid: string, limit: number): Promise<SigningKeyRecord[]> =>
      stored
        .find({ _id: { $gt: kid } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** Skips keys that another process resealed since they were read. */
    async replaceSealed(moves: readonly SealedAnew[]): Promise<void> {
      const writes = moves.map(({ before: { _id, sealedPrivateKey: was }, sealedPrivateKey }) => ({
        updateOne: { filter: { _id, sealedPrivateKey: was }, update: { $set: { sealedPrivateKey } } },
      }));
      await stored.bulkWrite(writes, { ordered: false });
    },
    async remove(kids: readonly string[]): Promise<void> {
      await stored.deleteMany({ _id: { $in: [...kids] } });
    },
  };
}
