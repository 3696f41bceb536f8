/** Reads of the delivery history. The cost of a page and of its total does not grow with the history. */
import type { Connection, mongo } from "mongoose";
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import { BY_ID, collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { HistoryFilter } from "./history.rules.ts";
import { historyIndex, historyQuery, pageQuery, spanOf, within } from "./history-queries.rules.ts";
import { type RangeParts, type Span, splitRange, tallyKeys } from "./tally.rules.ts";

type HistoryItem = Omit<DeliveryRecord, "attempts">;

export type HistoryRepository = ReturnType<typeof historyRepository>;

type PageStart = { skip: number; after: TimePosition | null };

const NEWEST_FIRST = { occurredAt: -1, _id: -1 } as const;
const SNAPSHOT = { readConcern: { level: "snapshot" } } as const;

export function historyRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);
  const tallies = COLLECTIONS.tallies.name;

  return {
    /** Newest event first. */
    async page(
      partnerId: string,
      filter: HistoryFilter,
      { skip, after }: PageStart,
      limit: number,
    ): Promise<HistoryItem[]> {
      const wanted = pageQuery(partnerId, filter, after);
      const items = { projection: { attempts: 0 }, hint: historyIndex(filter) };
      // A snapshot for the whole page: a delivery that a tally counts meanwhile moves within the index, past the read part.
      const session = await connection.startSession({ snapshot: true });
      try {
        const at = { session, ...SNAPSHOT };
        const query = collection.find<HistoryItem>(wanted, { ...at, ...items }).sort(NEWEST_FIRST);
        if (skip === 0) return await query.limit(limit).toArray();
        // Skipping reads keys only; the documents are fetched for the page alone.
        const keys = collection.find(wanted, { ...at, ...items, projection: { _id: 1 } }).sort(NEWEST_FIRST);
        const ids = (await keys.skip(skip).limit(limit).toArray()).map(({ _id }) => _id);
        // Behind mongos a query for none of them would be one to every shard.
        if (ids.length === 0) return [];
        const found = collection.find<HistoryItem>(
          { _id: { $in: ids }, partnerId },
          { ...at, projection: items.projection, ...BY_ID },
        );
        return await found.sort(NEWEST_FIRST).toArray();
      } finally {
        await session.endSession();
      }
    },

    async total(partnerId: string, filter: HistoryFilter): Promise<number> {
      // The tallies know statuses and types only.
      if (historyIndex(filter) !== "history" || filter.eventId !== null)
        return collection.countDocuments(pageQuery(partnerId, filter, null), { hint: historyIndex(filter) });
      const parts = splitRange(filter.from, filter.to);
      const count = (where: mongo.Filter<DeliveryRecord>) => [{ $match: where }, { $count: "count" }];
      const edges = parts.edges.map((span) => ({
        $unionWith: {
          coll: collection.collectionName,
          pipeline: count(historyQuery(partnerId, filter, [true], span)),
        },
      }));
      const counts = tallyKeys(filter.statuses, filter.eventTypes).map((key) => ({
        $ifNull: [`$counts.${key}`, 0],
      }));
      const spans = {
        $unionWith: {
          coll: tallies,
          pipeline: [
            { $match: spansOf(partnerId, parts) },
            { $group: { _id: null, count: { $sum: { $add: counts } } } },
          ],
        },
      };
      const uncounted = historyQuery(partnerId, filter, [false], spanOf(filter));
      const rows = await collection
        // A snapshot: a delivery moves from uncounted to a tally in one transaction.
        .aggregate<{ count: number }>([...count(uncounted), ...edges, spans], SNAPSHOT)
        .toArray();
      return rows.reduce((sum, row) => sum + row.count, 0);
    },

    find: (partnerId: string, deliveryId: string): Promise<DeliveryRecord | null> =>
      collection.findOne({ _id: deliveryId, partnerId }, BY_ID),
  };
}

function spansOf(partnerId: string, { days, hours }: RangeParts) {
  const ofKind = (kind: string, spans: readonly Span[]) =>
    spans.map((span) => ({ partnerId, kind, ...within("at", span) }));
  const wanted = [...ofKind("day", days), ...ofKind("hour", hours)];
  // An empty $or is refused; this matches nothing.
  return wanted.length > 0 ? { $or: wanted } : { partnerId, kind: "none" };
}
