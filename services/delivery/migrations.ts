/** What the database of this service went through, in order; a row that was released is not changed any more. */
import { deadLetterIndexes } from "../../shared/jetstream/dead-letters.ts";
import { indexesOf, type Migration } from "../../shared/mongo/run-migrations.ts";
import type { ShardTable } from "../../shared/mongo/shards.rules.ts";
import { auditTrailIndexes } from "../../shared/stores/audit-trail.repository.ts";
import { endpointStateModel } from "./endpoint/endpoint-state.model.ts";
import { excerptKeyModel } from "./excerpt/excerpt-key.model.ts";
import { tallyModel } from "./history/tally.model.ts";
import { deliveryModel } from "./records/delivery.model.ts";
import { eventModel } from "./records/event.model.ts";
import { replayJobModel } from "./replay/replay-job.model.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "indexes",
    run: indexesOf(
      eventModel,
      deliveryModel,
      tallyModel,
      replayJobModel,
      deadLetterIndexes,
      auditTrailIndexes,
    ),
  },
  {
    number: 2,
    name: "events, deliveries and tallies expire",
    run: indexesOf(eventModel, deliveryModel, tallyModel),
  },
  {
    number: 3,
    name: "deliveries are found by customer, replay and failure",
    run: indexesOf(deliveryModel),
  },
  {
    number: 4,
    name: "pauses and recoveries are found by partition",
    run: indexesOf(endpointStateModel),
  },
  {
    number: 5,
    name: "the database orders the feed",
    run: indexesOf(eventModel),
  },
  {
    number: 6,
    name: "keys of receivers' answers expire",
    run: indexesOf(excerptKeyModel),
  },
];

/** Behind mongos. The id spreads a large partner over all shards; every query by id names the partner, too. */
export const SHARDS: ShardTable = {
  events: { partnerId: 1, _id: "hashed" },
  deliveries: { partnerId: 1, _id: "hashed" },
  // An hour and a day each, for ninety days.
  delivery_tallies: { partnerId: 1 },
  replay_jobs: "one a replay of a window",
  endpoint_states: "one an endpoint",
  excerpt_keys: "one a day, for 31 days",
  partitions: "one document",
  dead_letters: "what a person has to look at",
};
