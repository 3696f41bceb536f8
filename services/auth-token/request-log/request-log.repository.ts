/** Writes and reads the request log. It may lose entries and says so, so its writes wait for no second server. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type DroppedRequests, KEPT_SECONDS, type StoredRequest } from "./request-log.model.ts";

export type RequestQuery = {
  partnerId: string;
  isFailed: boolean;
  beforeId: string | null;
  limit: number;
};

const QUICK = { ordered: false, writeConcern: { w: 1 } } as const;
const READ_MS = 5_000;
const HOUR_MS = 3_600_000;

export function requestLogRepository(connection: Connection) {
  const requests = collectionOf(connection, COLLECTIONS.requests);
  const dropped = collectionOf(connection, COLLECTIONS.droppedRequests);
  const since = (now: number) => new Date(now - KEPT_SECONDS * 1_000);

  return {
    async insert(entries: readonly StoredRequest[]): Promise<void> {
      if (entries.length > 0) await requests.insertMany([...entries], QUICK);
    },

    async countDropped(counts: readonly { partnerId: string; count: number }[], now: number): Promise<void> {
      if (counts.length === 0) return;
      const at = new Date(Math.floor(now / HOUR_MS) * HOUR_MS);
      const writes = counts.map(({ partnerId, count }) => ({
        updateOne: {
          filter: { _id: `${partnerId} ${at.toISOString()}` },
          update: { $inc: { count }, $setOnInsert: { partnerId, at } },
          upsert: true,
        },
      }));
      await dropped.bulkWrite(writes, QUICK);
    },

    /** MongoDB removes what is older within a minute or so; until then it is left out. */
    list: (query: RequestQuery, now: number): Promise<StoredRequest[]> =>
      requests
        .find({ ...requestFilter(query), at: { $gte: since(now) } }, { maxTimeMS: READ_MS })
        .sort({ _id: -1 })
        .limit(query.limit)
        .toArray(),

    async droppedOf(partnerId: string, now: number): Promise<number> {
      const hours: Pick<DroppedRequests, "count">[] = await dropped
        .find({ partnerId, at: { $gte: since(now) } }, { projection: { count: 1 }, maxTimeMS: READ_MS })
        .toArray();
      return hours.reduce((sum, { count }) => sum + count, 0);
    },
  };
}

export const requestFilter = ({ partnerId, isFailed, beforeId }: Omit<RequestQuery, "limit">) => ({
  partnerId,
  ...(isFailed ? { isFailed: true as const } : {}),
  ...(beforeId === null ? {} : { _id: { $lt: beforeId } }),
});
