/** The collections of this service: type, indexes, and shard key or the reason against one. */
import { DEAD_LETTERS } from "../../shared/jetstream/dead-letters.ts";
import { collection } from "../../shared/mongo/collections.rules.ts";
import { PARTNER_STANDINGS } from "../../shared/stores/partner-standings.repository.ts";
import type { DocumentRecord } from "./document.rules.ts";

/** The links of a slot in the order of their creation. */
export const SLOT_INDEX = { customerId: 1, uboId: 1, documentCategory: 1, createdAt: 1 } as const;
/** Queries must repeat this condition, or the server does not use the partial index. */
export const NO_TIME = new Date(0);

export const COLLECTIONS = {
  // All documents of a partner are on one shard.
  documents: collection<DocumentRecord>("documents", {
    shards: { partnerId: 1 },
    indexes: [
      { key: SLOT_INDEX },
      // For the sweep: a document that needs nothing more has no entry.
      { key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $gt: NO_TIME } } },
    ],
  }),
  partnerStandings: PARTNER_STANDINGS,
  deadLetters: DEAD_LETTERS,
};
