/** What the database of this service went through, in order; a row that was released is not changed any more. */
import { deadLetterIndexes } from "../../shared/jetstream/dead-letters.ts";
import { indexesOf, type Migration } from "../../shared/mongo/run-migrations.ts";
import type { ShardTable } from "../../shared/mongo/shards.rules.ts";
import { outboxIndexOf } from "../../shared/outbox/outbox-store.ts";
import { auditTrailIndexes } from "../../shared/stores/audit-trail.repository.ts";
import { countryConfigModel } from "./country/country-config.model.ts";
import { profileModel } from "./record/profile.model.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "indexes",
    run: indexesOf(
      profileModel,
      (connection) => outboxIndexOf(profileModel(connection)),
      countryConfigModel,
      auditTrailIndexes,
    ),
  },
  { number: 2, name: "index of answered keys", run: indexesOf(profileModel) },
  { number: 3, name: "indexes of test customers", run: indexesOf(profileModel) },
  { number: 4, name: "indexes of cases by country and by who has them", run: indexesOf(profileModel) },
  { number: 5, name: "expiry of dead letters", run: indexesOf(deadLetterIndexes) },
  { number: 6, name: "index of the keys of erased customers", run: indexesOf(profileModel) },
  { number: 7, name: "index of removed people", run: indexesOf(profileModel) },
];

/**
 * Behind mongos. All customers of a partner lie on one shard: both of their unique rules, the reference and the
 * Idempotency-Key, hold within a partner and share no other field, and a unique index must begin with the shard key.
 */
export const SHARDS: ShardTable = {
  business_profiles: { partnerId: 1 },
  country_configs: "a few versions a country",
  partitions: "one document",
  dead_letters: "what a person has to look at",
};
