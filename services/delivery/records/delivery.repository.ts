/** Deliveries on their way: inserted, claimed when due, updated after an attempt. */
import type { Connection } from "mongoose";
import { BoundedMap } from "../../../shared/bounded-map.ts";
import {
  BY_ID,
  collectionOf,
  insertNew,
  onShardOf,
  type Place,
  placed,
} from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { DeliveryRecord } from "./delivery.model.ts";
import { applyPipeline, exhaustPipeline, fence } from "./delivery-change.repository.ts";
import type { DeliveryUpdate } from "./delivery-update.rules.ts";
import { inQueue, type QueueHead, type QueuePartners, queueHeadsOf } from "./queue-heads.repository.ts";
import { queuesOf } from "./queue-name.rules.ts";

/** The fields of a delivery that an attempt needs. */
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
  | "occurredAt"
>;

export type DeliveryRepository = {
  /** Answers the indexes of the deliveries that were stored before. */
  insert(deliveries: readonly DeliveryRecord[]): Promise<ReadonlyMap<number, string>>;
  load(deliveries: readonly Place[]): Promise<OpenDelivery[]>;
  apply(updates: readonly DeliveryUpdate[]): Promise<void>;
  /** The earliest delivery of each queue of these partitions. */
  queueHeads(partitions: readonly number[]): Promise<QueueHead[]>;
  /** Makes the deliveries that a dead process had in flight due. */
  reclaim(partitions: readonly number[], atMs: number, leaseMs: number): Promise<number>;
  due(queue: string, atMs: number, limit: number): Promise<Place[]>;
  /** Due deliveries of a queue wait until this time. */
  putOffDue(queue: string, atMs: number, untilMs: number): Promise<void>;
  /** How many are due in these queues; counts no further than the limit. */
  countDue(queues: readonly string[], atMs: number, limit: number): Promise<number>;
  /** How many are pending in a queue; counts no further than the limit. */
  countWaiting(partnerId: string, queue: string, limit: number): Promise<number>;
  /** The partner whose deliveries wait in a queue; null when it is empty. */
  partnerOf(queue: string): Promise<string | null>;
  /** Claims the deliveries that no other process has claimed, until the given time. */
  claim(deliveries: readonly Place[], token: string, atMs: number, untilMs: number): Promise<OpenDelivery[]>;
  /** Makes waiting retries due; answers which. */
  pullForward(queues: readonly string[], atMs: number, limit: number): Promise<Place[]>;
  /** Ends pending deliveries of an endpoint that is disabled; answers how many. */
  exhaust(queues: readonly string[], atMs: number, limit: number, except: readonly string[]): Promise<number>;
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

const PLACES_ONLY = { projection: { partnerId: 1 } } as const;
const WAITING = { hint: "waiting" } as const;
const MAX_KNOWN_QUEUES = 10_000;

export function deliveryRepository(connection: Connection): DeliveryRepository {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);
  const partners: QueuePartners = new BoundedMap(MAX_KNOWN_QUEUES);

  return {
    insert: (deliveries) => insertNew(collection, deliveries),

    load: (deliveries) =>
      collection.find<OpenDelivery>(placed(deliveries), { projection: OPEN_FIELDS, ...BY_ID }).toArray(),

    async apply(updates) {
      const alike = Map.groupBy(updates, ({ attemptNo, isFinal }) => `${attemptNo} ${isFinal}`);
      await Promise.all(
        [...alike.values()].map((group) => collection.updateMany(fence(group), applyPipeline(group), BY_ID)),
      );
    },

    queueHeads: queueHeadsOf(connection, partners),

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
      const due = { ...inQueue(partners, queue), claimableAt: { $lte: new Date(atMs) } };
      await collection.updateMany(due, { $set: { claimableAt: until, nextAttemptAt: until } }, WAITING);
    },

    async due(queue, atMs, limit) {
      const found = await collection
        .find(
          { ...inQueue(partners, queue), claimableAt: { $lte: new Date(atMs) } },
          { ...PLACES_ONLY, ...WAITING },
        )
        .sort({ claimableAt: 1 })
        .limit(limit)
        .toArray();
      if (found[0]) partners.set(queue, found[0].partnerId);
      return found;
    },

    countDue: (queues, atMs, limit) =>
      collection.countDocuments(
        { queue: { $in: [...queues] }, claimableAt: { $lte: new Date(atMs) } },
        { limit },
      ),

    async countWaiting(partnerId, queue, limit) {
      const waiting = { queue, ...(await onShardOf(connection, partnerId)) };
      return collection.countDocuments(waiting, { limit, ...WAITING });
    },

    async partnerOf(queue) {
      const found = await collection.findOne(inQueue(partners, queue), { ...PLACES_ONLY, ...WAITING });
      return found?.partnerId ?? null;
    },

    async claim(deliveries, token, atMs, untilMs) {
      const wanted = placed(deliveries);
      const free = { ...wanted, status: "Pending", claimableAt: { $lte: new Date(atMs) } } as const;
      await collection.updateMany(free, { $set: { claim: token, claimableAt: new Date(untilMs) } }, BY_ID);
      const claimed = { ...wanted, status: "Pending", claim: token } as const;
      return collection.find<OpenDelivery>(claimed, { projection: OPEN_FIELDS, ...BY_ID }).toArray();
    },

    async pullForward(queues, atMs, limit) {
      const now = new Date(atMs);
      const waiting = { queue: { $in: [...queues] }, claimableAt: { $gt: now }, nextAttemptAt: { $gt: now } };
      const found = await collection.find(waiting, PLACES_ONLY).limit(limit).toArray();
      if (found.length === 0) return [];
      const filter = { ...placed(found), status: "Pending", nextAttemptAt: { $gt: now } } as const;
      await collection.updateMany(filter, { $set: { nextAttemptAt: now, claimableAt: now } }, BY_ID);
      return found;
    },

    async exhaust(queues, atMs, limit, except) {
      const pending = { queue: { $in: [...queues] }, _id: { $nin: [...except] } };
      const found = await collection.find(pending, PLACES_ONLY).limit(limit).toArray();
      if (found.length === 0) return 0;
      const filter = { ...placed(found), status: "Pending" } as const;
      await collection.updateMany(filter, exhaustPipeline(new Date(atMs)), BY_ID);
      return found.length;
    },
  };
}
