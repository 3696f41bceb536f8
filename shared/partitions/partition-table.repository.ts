/** The table of partitions: one document, judged by the database's clock alone. */
import type { Connection } from "mongoose";
import { collection as declared } from "../mongo/collections.rules.ts";
import { collectionOf } from "../mongo/mongo.ts";
import { type Holding, newHoldings, type PartitionTable } from "./partition-table.rules.ts";

export type PartitionTableRepository = ReturnType<typeof partitionTableRepository>;

type Stored = PartitionTable & { _id: string };

export const PARTITIONS = declared<Stored>("partitions", { shards: "one document" });

const TABLE = { _id: "partitions" } as const;

export function partitionTableRepository(connection: Connection, count: number) {
  const collection = collectionOf(connection, PARTITIONS);
  return {
    /** Renews the leases of this process and answers the table, in one round trip. */
    async renew(me: string, leaseMs: number): Promise<PartitionTable> {
      const id = { $literal: me };
      const members = { $ifNull: ["$members", []] };
      const others = { $filter: { input: members, cond: { $ne: ["$$this.id", id] } } };
      const own = { id, until: { $add: ["$$NOW", leaseMs] } };
      const isLiving = { $and: [{ $eq: ["$$this.id", id] }, { $gt: ["$$this.until", "$$NOW"] }] };
      const wasLiving = { $anyElementTrue: { $map: { input: members, in: isLiving } } };
      const version = { $ifNull: ["$version", 0] };
      const renewal = {
        at: "$$NOW",
        members: { $concatArrays: [others, [own]] },
        holdings: { $ifNull: ["$holdings", { $literal: newHoldings(count) }] },
        // A process that considered this one dead finds another version, and takes nothing.
        version: { $cond: [wasLiving, version, { $add: [version, 1] }] },
      };
      const renewed = await collection.findOneAndUpdate(TABLE, [{ $set: renewal }], {
        upsert: true,
        returnDocument: "after",
      });
      if (!renewed) throw new Error("The table of partitions was not answered.");
      return renewed;
    },
    /** Removes dead members and the one that leaves. False when the table has changed since this version. */
    async change(version: number, holdings: readonly Holding[], leaving = ""): Promise<boolean> {
      const stays = {
        $and: [{ $gt: ["$$this.until", "$$NOW"] }, { $ne: ["$$this.id", { $literal: leaving }] }],
      };
      // Leases that others renewed since this process read the table stay.
      const members = { $filter: { input: "$members", cond: stays } };
      const changed = { members, holdings: { $literal: holdings }, version: version + 1 };
      const { matchedCount } = await collection.updateOne({ ...TABLE, version }, [{ $set: changed }]);
      return matchedCount === 1;
    },
  };
}
