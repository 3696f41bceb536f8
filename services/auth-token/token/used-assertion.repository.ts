/** Remembers assertion ids. Requests that arrive together share one write; each gets its own answer. */
import type { Connection } from "mongoose";
import { unavailable } from "../../../shared/errors.ts";
import { type UsedAssertion, usedAssertionModel } from "./used-assertion.model.ts";

export type AssertionUse = { clientId: string; jti: string; expiresAt: Date };

export type UsedAssertionRepository = {
  ensureIndexes(): Promise<void>;
  /** True for exactly one caller per client and jti; throws when it could not be stored. */
  use(assertion: AssertionUse): Promise<boolean>;
};

type Waiting = { document: UsedAssertion; resolve(first: boolean): void; reject(error: unknown): void };

type InsertReply = {
  n: number;
  writeErrors?: { index: number; code: number }[];
  writeConcernError?: object;
};

/** While one write waits for the journal the next one gathers. */
const WRITES_IN_FLIGHT = 2;
const MAX_BATCH = 500;
const DUPLICATE_KEY = 11_000;
/** A command of one's own does not inherit it from the connection. */
const WRITE_CONCERN = { w: "majority", j: true, wtimeout: 5_000 };

export function usedAssertionRepository(connection: Connection): UsedAssertionRepository {
  const model = usedAssertionModel(connection);
  const waiting: Waiting[] = [];
  let inFlight = 0;
  let isGathering = false;

  const writeNext = async (): Promise<void> => {
    isGathering = false;
    const batch = waiting.splice(0, MAX_BATCH);
    inFlight += 1;
    gather();
    try {
      const duplicates = await insertNew(batch.map((each) => each.document));
      for (const [index, each] of batch.entries()) each.resolve(!duplicates.has(index));
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
    inFlight -= 1;
    gather();
  };

  /** After this turn of the loop, so that requests that came in together go together. */
  function gather(): void {
    if (isGathering || waiting.length === 0 || inFlight >= WRITES_IN_FLIGHT) return;
    isGathering = true;
    setImmediate(writeNext);
  }

  /** Inserts what is new and answers the places of what was there before. */
  async function insertNew(documents: UsedAssertion[]): Promise<Set<number>> {
    const { db } = connection;
    if (!db) throw unavailable("The database");
    // The bare command: the driver's bulk writes cost more than the server's whole work.
    const reply = (await db.command({
      insert: model.collection.collectionName,
      documents,
      ordered: false,
      writeConcern: WRITE_CONCERN,
    })) as InsertReply;
    const errors = reply.writeErrors ?? [];
    const isKnown = errors.every(({ code }) => code === DUPLICATE_KEY);
    if (!isKnown || reply.writeConcernError || reply.n + errors.length !== documents.length)
      throw unavailable("The database", reply.writeConcernError ?? errors);
    return new Set(errors.map(({ index }) => index));
  }

  return {
    ensureIndexes: () => model.createIndexes(),
    use: ({ clientId, jti, expiresAt }) =>
      new Promise((resolve, reject) => {
        waiting.push({ document: { _id: `${clientId} ${jti}`, expiresAt }, resolve, reject });
        gather();
      }),
  };
}
