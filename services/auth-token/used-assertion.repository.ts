/** Remembers assertion ids. Requests that arrive together share one write; each gets its own answer. */
import type { Connection, mongo } from "mongoose";
import { type UsedAssertion, usedAssertionModel } from "./used-assertion.model.ts";

export type AssertionUse = { clientId: string; jti: string; expiresAt: Date };

export type UsedAssertionRepository = {
  ensureIndexes(): Promise<void>;
  /** True for exactly one caller per client and jti; throws when it could not be stored. */
  use(assertion: AssertionUse): Promise<boolean>;
};

type Waiting = { document: UsedAssertion; resolve(first: boolean): void; reject(error: unknown): void };

const MAX_BATCH = 500;
const DUPLICATE_KEY = 11_000;

export function usedAssertionRepository(connection: Connection): UsedAssertionRepository {
  const model = usedAssertionModel(connection);
  const waiting: Waiting[] = [];
  let isWriting = false;

  /** One write at a time: while it waits for the journal the next one gathers, so busy times need few of them. */
  const write = async (): Promise<void> => {
    const batch = waiting.splice(0, MAX_BATCH);
    try {
      const duplicates = await insertNew(batch.map((each) => each.document));
      batch.forEach((each, index) => void each.resolve(!duplicates.has(index)));
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
    if (waiting.length > 0) setImmediate(write);
    else isWriting = false;
  };

  /** Inserts what is new and answers the places of what was there before. */
  async function insertNew(documents: UsedAssertion[]): Promise<Set<number>> {
    try {
      await model.collection.insertMany(documents as unknown as mongo.OptionalId<mongo.BSON.Document>[], {
        ordered: false,
      });
      return new Set();
    } catch (error) {
      const { writeErrors, result } = error as Partial<mongo.MongoBulkWriteError>;
      const each = [writeErrors ?? []].flat();
      const onlyDuplicates = each.length > 0 && each.every(({ code }) => code === DUPLICATE_KEY);
      if (!onlyDuplicates || result?.getWriteConcernError()) throw error;
      return new Set(each.map(({ index }) => index));
    }
  }

  return {
    ensureIndexes: () => model.createIndexes(),
    use: ({ clientId, jti, expiresAt }) =>
      new Promise((resolve, reject) => {
        waiting.push({ document: { _id: `${clientId} ${jti}`, expiresAt }, resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // After this turn of the loop, so that requests that came in together go together.
        setImmediate(write);
      }),
  };
}
