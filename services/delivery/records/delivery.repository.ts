/** Deliveries on their way: inserted, claimed when due, updated after an attempt. */
import type { Connection, mongo } from "mongoose";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import { type DeliveryRecord, deliveryModel } from "./delivery.model.ts";
import { applyPipeline, fence, giveUpPipeline } from "./delivery-change.repository.ts";
import type { DeliveryUpdate } from "./delivery-update.rules.ts";
import { insertInTime } from "./insert-in-time.repository.ts";
import { queuesOf } from "./queue-name.rules.ts";

/** As much of a delivery as an attempt needs. */
export type OpenDelivery = Pick<
  DeliveryRecord,
  | "_id"
  | "partnerId"
  | "endpointId"
  | "eventId"
  | "eventType"
  | "eventVersion"
  | "replaySeries"
  | "status"
  | "attemptCount"
  | "nextAttemptAt"
  | "postponed"
  | "claim"
> & {
  /** Absent where the release before handed it over. */
  occurredAt?: Date;
};

export type QueueHead = { queue: string; claimableAt: Date };

export type DeliveryRepository = {
  /** Answers the positions of those that were planned before. */
  insert(deliveries: readonly DeliveryRecord[]): Promise<ReadonlyMap<number, string>>;
  /** See insert-in-time.repository.ts. */
  insertInTime(delivery: DeliveryRecord, endsAt: number): Promise<boolean>;
  load(ids: readonly string[]): Promise<OpenDelivery[]>;
  apply(updates: readonly DeliveryUpdate[]): Promise<void>;
  /** The earliest delivery of each queue of these partitions; the cost grows with queues, not with deliveries. */
  queueHeads(partitions: readonly number[]): Promise<QueueHead[]>;
  /** Makes due what a process that died had in hand. */
  reclaim(partitions: readonly number[], atMs: number, leaseMs: number): Promise<number>;
  dueIds(queue: string, atMs: number, limit: number): Promise<string[]>;
  /** What is due in a queue waits until this time. */
  putOffDue(queue: string, atMs: number, untilMs: number): Promise<void>;
  /** How many are due in these queues; counts no further than the limit. */
  countDue(queues: readonly string[], atMs: number, limit: number): Promise<number>;
  /** How many are pending in a queue; counts no further than the limit. */
  countWaiting(queue: string, limit: number): Promise<number>;
  /** The partner whose deliveries wait in a queue; null when it is empty. */
  partnerOf(queue: string): Promise<string | null>;
  /** Claims those that nobody else claimed meanwhile, until the given time. */
  claim(ids: readonly string[], token: string, atMs: number, untilMs: number): Promise<OpenDelivery[]>;
  /** Makes waiting retries due; answers which. */
  pullForward(queues: readonly string[], atMs: number, limit: number): Promise<string[]>;
  /** Ends pending deliveries of an endpoint that is disabled; answers how many. */
  giveUp(queues: readonly string[], atMs: number, limit: number, except: readonly string[]): Promise<number>;
};

const OPEN_FIELDS = {
  partnerId: 1,
  endpointId: 1,
  eventId: 1,
  eventType: 1,
  eventVersion: 1,
  replaySeries: 1,
  status: 1,
  attemptCount: 1,
  nextAttemptAt: 1,
  postponed: 1,
  claim: 1,
  occurredAt: 1,
} as const;

const IDS_ONLY = { projection: { _id: 1 } } as const;

export function deliveryRepository(connection: Connection): DeliveryRepository {
  const collection = collectionOf(deliveryModel(connection));
  const idsOf = async (cursor: mongo.FindCursor<{ _id: string }>) =>
    (await cursor.toArray()).map(({ _id }) => _id);

  return {
    insert: (deliveries) => insertNew(collection, deliveries),
    insertInTime: (delivery, endsAt) => insertInTime(connection, collection, delivery, endsAt),

    load: (ids) =>
      collection.find<OpenDelivery>({ _id: { $in: [...ids] } }, { projection: OPEN_FIELDS }).toArray(),

    async apply(updates) {
      const alike = Map.groupBy(updates, ({ attemptNo, isFinal }) => `${attemptNo} ${isFinal}`);
      await Promise.all(
        [...alike.values()].map((group) => collection.updateMany(fence(group), applyPipeline(group))),
      );
    },

    async queueHeads(partitions) {
      const heads = collection.aggregate<{ _id: string; claimableAt: Date }>([
        { $match: { queue: { $in: partitions.map(queuesOf) } } },
        { $sort: { queue: 1, claimableAt: 1 } },
        { $group: { _id: "$queue", claimableAt: { $first: "$claimableAt" } } },
      ]);
      return (await heads.toArray()).map(({ _id, claimableAt }) => ({ queue: _id, claimableAt }));
    },

    async reclaim(partitions, atMs, leaseMs) {
      const now = new Date(atMs);
      const inHand = {
        queue: { $in: partitions.map(queuesOf) },
        // A retry that waits for its time has a later one.
        claimableAt: { $gt: now, $lte: new Date(atMs + leaseMs) },
        nextAttemptAt: { $lte: now },
      };
      const { modifiedCount } = await collection.updateMany(inHand, { $set: { claimableAt: now } });
      return modifiedCount;
    },

    async putOffDue(queue, atMs, untilMs) {
      const until = new Date(untilMs);
      const due = { queue, claimableAt: { $lte: new Date(atMs) } };
      await collection.updateMany(due, { $set: { claimableAt: until, nextAttemptAt: until } });
    },

    dueIds: (queue, atMs, limit) =>
      idsOf(
        collection
          .find({ queue, claimableAt: { $lte: new Date(atMs) } }, IDS_ONLY)
          .sort({ claimableAt: 1 })
          .limit(limit),
      ),

    countDue: (queues, atMs, limit) =>
      collection.countDocuments(
        { queue: { $in: [...queues] }, claimableAt: { $lte: new Date(atMs) } },
        { limit },
      ),

    countWaiting: (queue, limit) => collection.countDocuments({ queue }, { limit }),

    async partnerOf(queue) {
      const found = await collection.findOne({ queue }, { projection: { partnerId: 1 } });
      return found?.partnerId ?? null;
    },

    async claim(ids, token, atMs, untilMs) {
      const wanted = { _id: { $in: [...ids] } };
      const free = { ...wanted, status: "Pending", claimableAt: { $lte: new Date(atMs) } } as const;
      await collection.updateMany(free, { $set: { claim: token, claimableAt: new Date(untilMs) } });
      return collection
        .find<OpenDelivery>({ ...wanted, status: "Pending", claim: token }, { projection: OPEN_FIELDS })
        .toArray();
    },

    async pullForward(queues, atMs, limit) {
      const now = new Date(atMs);
      const waiting = { queue: { $in: [...queues] }, claimableAt: { $gt: now }, nextAttemptAt: { $gt: now } };
      const ids = await idsOf(collection.find(waiting, IDS_ONLY).limit(limit));
      if (ids.length === 0) return [];
      const filter = { _id: { $in: ids }, status: "Pending", nextAttemptAt: { $gt: now } } as const;
      await collection.updateMany(filter, { $set: { nextAttemptAt: now, claimableAt: now } });
      return ids;
    },

    async giveUp(queues, atMs, limit, except) {
      const pending = { queue: { $in: [...queues] }, _id: { $nin: [...except] } };
      const ids = await idsOf(collection.find(pending, IDS_ONLY).limit(limit));
      if (ids.length === 0) return 0;
      await collection.updateMany({ _id: { $in: ids }, status: "Pending" }, giveUpPipeline(new Date(atMs)));
      return ids.length;
    },
  };
}
