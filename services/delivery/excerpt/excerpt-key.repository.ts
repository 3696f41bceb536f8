/** Reads and writes the keys that seal receivers' answers. */
import type { Connection } from "mongoose";
import { collectionOf, unlessDuplicate } from "../../../shared/mongo/mongo.ts";
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import { COLLECTIONS } from "../collections.ts";
import type { ExcerptKey } from "./excerpt-key.model.ts";

export type ExcerptKeyRepository = ReturnType<typeof excerptKeyRepository>;

type ResealedKey = { before: ExcerptKey; sealedKey: string };

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
    async replaceSealed(moves: readonly ResealedKey[]): Promise<void> {
      const writes = moves.map(({ before: { _id, sealedKey: was }, sealedKey }) => ({
        updateOne: { filter: { _id, sealedKey: was }, update: { $set: { sealedKey } } },
      }));
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}

export const excerptKeyContext = (day: string) => ({
  collection: COLLECTIONS.excerptKeys.name,
  recordId: day,
  field: "sealedKey",
});

/** The keys, for the sweep that moves them to the newest field key. */
export const sealedExcerptKeys = (
  keys: Pick<ExcerptKeyRepository, "pageAfter" | "replaceSealed">,
  cipher: FieldCipher,
): SealedRecords<ExcerptKey, ResealedKey> => ({
  name: COLLECTIONS.excerptKeys.name,
  page: keys.pageAfter,
  sealedIn: ({ sealedKey }) => [sealedKey],
  move(before) {
    if (!cipher.isStale(before.sealedKey)) return null;
    const context = excerptKeyContext(before._id);
    return { before, sealedKey: cipher.seal(cipher.open(before.sealedKey, context), context) };
  },
  write: keys.replaceSealed,
});
