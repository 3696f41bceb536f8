/** Reads and writes the keys that seal receivers' answers. */
import type { Connection } from "mongoose";
import { collectionOf, unlessDuplicate } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { ExcerptKey } from "./excerpt-key.model.ts";

export type ExcerptKeyRepository = ReturnType<typeof excerptKeyRepository>;

export type KeySealedAnew = { before: ExcerptKey; sealedKey: string };

export function excerptKeyRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.excerptKeys);
  return {
    /** Stores the key unless its day has one; answers the stored key, which a majority of the members has. */
    async findOrInsert({ _id, ...key }: ExcerptKey): Promise<ExcerptKey> {
      const upsert = () =>
        collection.findOneAndUpdate(
          { _id },
          { $setOnInsert: key },
          { upsert: true, returnDocument: "after" },
        );
      const stored = (await upsert().catch(unlessDuplicate)) ?? (await upsert());
      if (!stored) throw new Error("The database did not answer with the key.");
      return stored;
    },
    find: (days: readonly string[]): Promise<ExcerptKey[]> =>
      collection.find({ _id: { $in: [...days] } }).toArray(),
    pageAfter: (day: string, limit: number): Promise<ExcerptKey[]> =>
      collection
        .find({ _id: { $gt: day } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** Leaves out keys that another sweep resealed since they were read. */
    async replaceSealed(moves: readonly KeySealedAnew[]): Promise<void> {
      const writes = moves.map(({ before: { _id, sealedKey: was }, sealedKey }) => ({
        updateOne: { filter: { _id, sealedKey: was }, update: { $set: { sealedKey } } },
      }));
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}
