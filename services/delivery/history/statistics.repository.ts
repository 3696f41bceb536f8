/** Counts deliveries by hour or day: finished ones are in the tallies, the others are counted where they are. */
import type { Connection } from "mongoose";
import { DELIVERY_STATUSES } from "../../../shared/contract/vocabularies.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { ALL_EVENT_TYPES } from "./history.rules.ts";
import type { Counted, StatisticsRange } from "./statistics.rules.ts";
import { sumCounts, type Tally, tallyKeys } from "./tally.rules.ts";

export type StatisticsRepository = ReturnType<typeof statisticsRepository>;

type Row = { at: Date } & (Pick<Tally, "counts"> | Omit<Counted, "at">);

export function statisticsRepository(connection: Connection) {
  const deliveries = collectionOf(connection, COLLECTIONS.deliveries);
  const tallies = COLLECTIONS.tallies.name;
  return {
    async count(partnerId: string, { interval, from, before }: StatisticsRange): Promise<Counted[]> {
      const span = { $gte: from, $lt: before };
      const uncounted = {
        partnerId,
        counted: false,
        status: { $in: [...DELIVERY_STATUSES] },
        eventType: { $in: [...ALL_EVENT_TYPES] },
        occurredAt: span,
      };
      const at = { $dateTrunc: { date: "$occurredAt", unit: interval } };
      const rows = await deliveries
        .aggregate<Row>(
          [
            { $match: uncounted },
            { $group: { _id: { at, status: "$status" }, count: { $sum: 1 } } },
            { $project: { _id: 0, at: "$_id.at", status: "$_id.status", count: 1 } },
            {
              $unionWith: {
                coll: tallies,
                pipeline: [
                  { $match: { partnerId, kind: interval, at: span } },
                  { $project: { _id: 0, at: 1, counts: 1 } },
                ],
              },
            },
          ],
          // A delivery moves from uncounted to a tally in one transaction.
          { readConcern: { level: "snapshot" }, hint: "history" },
        )
        .toArray();
      return rows.flatMap((row) => ("counts" in row ? ofTally(row) : [row]));
    },
  };
}

const ofTally = ({ at, counts }: { at: Date } & Pick<Tally, "counts">): Counted[] =>
  DELIVERY_STATUSES.map((status) => ({
    at,
    status,
    count: sumCounts(counts, tallyKeys([status], ALL_EVENT_TYPES)),
  }));
