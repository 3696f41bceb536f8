/** Remembers assertion ids. Requests that arrive together share one write; each gets its own answer. */
import type { Connection } from "mongoose";
import { createBatcher } from "../../../shared/batcher.ts";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS, type UsedAssertion } from "../collections.ts";

type AssertionUse = { clientId: string; jti: string; expiresAt: Date };

/** While one write waits for the journal the next one gathers. */
const MAX_WRITES = 2;
const MAX_BATCH = 500;

export function usedAssertionRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.usedAssertions);
  const uses = createBatcher<UsedAssertion, boolean>({
    async run(assertions) {
      const usedBefore = await insertNew(collection, assertions);
      return assertions.map((_, index) => !usedBefore.has(index));
    },
    maxBatch: MAX_BATCH,
    maxInFlight: MAX_WRITES,
  });

  return {
    /** True for exactly one caller per client and jti; throws when it could not be stored. */
    use: ({ clientId, jti, expiresAt }: AssertionUse): Promise<boolean> =>
      uses.add({ _id: `${clientId} ${jti}`, expiresAt }),
  };
}
