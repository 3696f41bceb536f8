/** Deliveries on their way: inserted, claimed when due, updated after an attempt. */
import type { Connection, mongo } from "mongoose";
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
import { type DeliveryUpdate, NOT_MADE, NOT_MADE_FAILURE } from "./delivery-update.rules.ts";
import { inQueue, type QueuePartners, queueHeadsOf } from "./queue-heads.repository.ts";
import { queuesOf } from "./queue-name.rules.ts";

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

/** The fields of a delivery that an attempt needs. */
export type OpenDelivery = Pick<DeliveryRecord, "_id" | keyof typeof OPEN_FIELDS>;

export type DeliveryRepository = ReturnType<typeof deliveryRepository>;

const PLACES_ONLY = { projection: { partnerId: 1 } } as const;
const WAITING = { hint: "waiting" } as const;
const MAX_KNOWN_QUEUES = 10_000;

export function deliveryRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);
  const partners: QueuePartners = new BoundedMap(MAX_KNOWN_QUEUES);

  return {
    /** Answers the indexes of the deliveries that were stored before. */
    insert: (deliveries: readonly DeliveryRecord[]) => insertNew(collection, deliveries),

    load: (deliveries: readonly Place[]): Promise<OpenDelivery[]> =>
      collection.find<OpenDelivery>(placed(deliveries), { projection: OPEN_FIELDS, ...BY_ID }).toArray(),

    async apply(updates: readonly DeliveryUpdate[]): Promise<void> {
      const alike = Map.groupBy(updates, ({ attemptNo, isFinal }) => `${attemptNo} ${isFinal}`);
      await Promise.all(
        [...alike.values()].map((group) => collection.updateMany(fence(group), applyPipeline(group), BY_ID)),
      );
    },

    queueHeads: queueHeadsOf(connection, partners),

    /** Makes the deliveries that a dead process had in flight due. */
    async reclaim(partitions: readonly number[], atMs: number, leaseMs: number): Promise<number> {
      const now = new Date(atMs);
      const leased = {
        queue: { $in: partitions.map(queuesOf) },
        // A retry that waits for its time has a later one.
        claimableAt: { $gt: now, $lte: new Date(atMs + leaseMs) },
        nextAttemptAt: { $lte: now },
      };
      const { modifiedCount } = await collection.updateMany(leased, { $set: { claimableAt: now } });
      return modifiedCount;
    },

    /** Due deliveries of a queue wait until this time. */
    async putOffDue(queue: string, atMs: number, untilMs: number): Promise<void> {
      const until = new Date(untilMs);
      const due = { ...inQueue(partners, queue), claimableAt: { $lte: new Date(atMs) } };
      await collection.updateMany(due, { $set: { claimableAt: until, nextAttemptAt: until } }, WAITING);
    },

    async due(queue: string, atMs: number, limit: number): Promise<Place[]> {
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

    /** How many are due in these queues; counts no further than the limit. */
    countDue: (queues: readonly string[], atMs: number, limit: number) =>
      collection.countDocuments(
        { queue: { $in: [...queues] }, claimableAt: { $lte: new Date(atMs) } },
        { limit },
      ),

    /** How many are pending in a queue; counts no further than the limit. */
    async countWaiting(partnerId: string, queue: string, limit: number): Promise<number> {
      const waiting = { queue, ...(await onShardOf(connection, partnerId)) };
      return collection.countDocuments(waiting, { limit, ...WAITING });
    },

    /** The partner whose deliveries wait in a queue; null when it is empty. */
    async partnerOf(queue: string): Promise<string | null> {
      const found = await collection.findOne(inQueue(partners, queue), { ...PLACES_ONLY, ...WAITING });
      return found?.partnerId ?? null;
    },

    /** Claims the deliveries that no other process has claimed, until the given time. */
    async claim(deliveries: readonly Place[], token: string, atMs: number, untilMs: number) {
      const wanted = placed(deliveries);
      const free = { ...wanted, status: "Pending", claimableAt: { $lte: new Date(atMs) } } as const;
      await collection.updateMany(free, { $set: { claim: token, claimableAt: new Date(untilMs) } }, BY_ID);
      const claimed = { ...wanted, status: "Pending", claim: token } as const;
      return collection.find<OpenDelivery>(claimed, { projection: OPEN_FIELDS, ...BY_ID }).toArray();
    },

    /** Makes waiting retries due; answers which. */
    async pullForward(queues: readonly string[], atMs: number, limit: number): Promise<Place[]> {
      const now = new Date(atMs);
      const waiting = { queue: { $in: [...queues] }, claimableAt: { $gt: now }, nextAttemptAt: { $gt: now } };
      const found = await collection.find(waiting, PLACES_ONLY).limit(limit).toArray();
      if (found.length === 0) return [];
      const filter = { ...placed(found), status: "Pending", nextAttemptAt: { $gt: now } } as const;
      await collection.updateMany(filter, { $set: { nextAttemptAt: now, claimableAt: now } }, BY_ID);
      return found;
    },

    /** Ends pending deliveries of an endpoint that is disabled; answers how many. */
    async exhaust(queues: readonly string[], atMs: number, limit: number, except: readonly string[]) {
      const pending = { queue: { $in: [...queues] }, _id: { $nin: [...except] } };
      const found = await collection.find(pending, PLACES_ONLY).limit(limit).toArray();
      if (found.length === 0) return 0;
      const filter = { ...placed(found), status: "Pending" } as const;
      await collection.updateMany(filter, exhaustPipeline(new Date(atMs)), BY_ID);
      return found.length;
    },
  };
}

const WAITING_FIELDS = ["queue", "claimableAt", "claim"];

/** An update that is late, or was made by another process, matches nothing. */
const fence = (group: readonly DeliveryUpdate[]): mongo.Filter<DeliveryRecord> => ({
  ...placed(group.map(({ deliveryId, partnerId }) => ({ _id: deliveryId, partnerId }))),
  status: "Pending",
  attemptCount: (group[0]?.attemptNo ?? 0) - 1,
});

/** Updates many records in a single statement, for half the cost. A receiver's text may look like an expression, hence $literal. */
function applyPipeline(group: readonly DeliveryUpdate[]): mongo.BSON.Document[] {
  const changes = group.map(({ set, attempts }) => ({ set, attempts }));
  const ids = group.map(({ deliveryId }) => deliveryId);
  // $getField would be shorter, but takes a computed name only from MongoDB 7.2 on.
  const slot = { $indexOfArray: [{ $literal: ids }, "$_id"] };
  const attempts = { $concatArrays: ["$attempts", "$change.attempts"] };
  return [
    { $set: { change: { $arrayElemAt: [{ $literal: changes }, slot] } } },
    { $replaceWith: { $mergeObjects: ["$$ROOT", "$change.set", { attempts }] } },
    { $unset: ["change", ...(group[0]?.isFinal ? WAITING_FIELDS : ["claim"])] },
  ];
}

/** As exhausted of delivery-update.rules.ts, for many; the attempt number comes from each record. */
const exhaustPipeline = (at: Date): mongo.BSON.Document[] => [
  {
    $set: {
      status: "Exhausted",
      lastFailure: NOT_MADE_FAILURE,
      nextAttemptAt: null,
      completedAt: at,
      attempts: {
        $concatArrays: [
          "$attempts",
          [{ ...NOT_MADE, attemptNo: { $add: ["$attemptCount", 1] }, sentAt: at }],
        ],
      },
    },
  },
  { $unset: WAITING_FIELDS },
];
