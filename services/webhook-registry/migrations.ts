/** What the database of this service went through, in order; a row that was released is not changed any more. */
import { indexesOf, type Migration } from "../../shared/mongo/run-migrations.ts";
import type { ShardTable } from "../../shared/mongo/shards.rules.ts";
import { auditTrailIndexes } from "../../shared/stores/audit-trail.repository.ts";
import { endpointModel } from "./endpoint.model.ts";

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "indexes", run: indexesOf(endpointModel, auditTrailIndexes) },
];

/** Behind mongos. */
export const SHARDS: ShardTable = {
  webhook_endpoints: "one a partner",
  partner_standings: "one a partner",
};
