/** What the database of this service went through, in order; a row that was released is not changed any more. */
import { deadLetterIndexes } from "../../shared/jetstream/dead-letters.ts";
import { indexesOf, type Migration } from "../../shared/mongo/run-migrations.ts";
import type { ShardTable } from "../../shared/mongo/shards.rules.ts";
import { documentModel } from "./document.model.ts";

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "indexes", run: indexesOf(documentModel, deadLetterIndexes) },
  { number: 2, name: "index of answered keys", run: indexesOf(documentModel) },
];

/** Behind mongos. All documents of a partner lie on one shard. */
export const SHARDS: ShardTable = {
  documents: { partnerId: 1 },
  partner_standings: "one a partner",
  dead_letters: "what a person has to look at",
};
