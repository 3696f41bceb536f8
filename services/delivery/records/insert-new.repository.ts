/** An unordered insert that takes documents already there as done. */
import type { mongo } from "mongoose";

const DUPLICATE_KEY = 11_000;

/** Answers the positions of those that were there before. Doing it twice changes nothing. */
export async function insertNew<T extends { _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly T[],
): Promise<ReadonlySet<number>> {
  if (documents.length === 0) return new Set();
  try {
    const raw = documents as unknown as mongo.OptionalUnlessRequiredId<T>[];
    await collection.insertMany(raw, { ordered: false });
    return new Set();
  } catch (error) {
    const duplicates = duplicatesOnly(error);
    if (duplicates) return duplicates;
    throw error;
  }
}

/** Everything else in the batch was written, with the write concern that was asked for. */
function duplicatesOnly(error: unknown): Set<number> | null {
  const { writeErrors, result } = error as Partial<mongo.MongoBulkWriteError>;
  const each = [writeErrors ?? []].flat();
  const only =
    each.length > 0 &&
    each.every(({ code }) => code === DUPLICATE_KEY) &&
    result?.getWriteConcernError() === undefined;
  return only ? new Set(each.map(({ index }) => index)) : null;
}
