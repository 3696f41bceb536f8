/** The earliest delivery of each queue; the cost grows with queues, not with deliveries. */
import type { Connection } from "mongoose";
import { collectionOf, isBehindMongos } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { DeliveryRecord } from "./delivery.model.ts";
import { queuesOf } from "./queue-name.rules.ts";

export type QueueHead = { queue: string; claimableAt: Date };

/** A queue is one partner's: once that is known, only the shards of the partner are asked. */
export type QueuePartners = Map<string, string>;

export function inQueue(partners: QueuePartners, queue: string): { queue: string; partnerId?: string } {
  const partnerId = partners.get(queue);
  return partnerId === undefined ? { queue } : { queue, partnerId };
}

type Waiting = Pick<DeliveryRecord, "partnerId" | "claimableAt">;

const AT_ONCE = 16;

export function queueHeadsOf(
  connection: Connection,
  partners: QueuePartners,
): (partitions: readonly number[]) => Promise<QueueHead[]> {
  const collection = collectionOf(connection, COLLECTIONS.deliveries);

  return async (partitions) => {
    const held = { queue: { $in: partitions.map(queuesOf) } };
    return (await isBehindMongos(connection)) ? ofShards(held) : ofSet(held);
  };

  /** Reads one index key a queue. */
  async function ofSet(held: object): Promise<QueueHead[]> {
    const heads = collection.aggregate<{ _id: string; claimableAt: Date }>([
      { $match: held },
      { $sort: { queue: 1, claimableAt: 1 } },
      { $group: { _id: "$queue", claimableAt: { $first: "$claimableAt" } } },
    ]);
    return (await heads.toArray()).map(({ _id, claimableAt }) => ({ queue: _id, claimableAt }));
  }

  /** As a group of firsts mongos would have every waiting delivery sent to it, and find the first of each itself. */
  async function ofShards(held: object): Promise<QueueHead[]> {
    const queues = (await collection.distinct("queue", held)).filter((queue) => queue !== undefined);
    const heads: QueueHead[] = [];
    while (queues.length > 0)
      heads.push(...(await Promise.all(queues.splice(0, AT_ONCE).map(headOf))).flat());
    return heads;
  }

  async function headOf(queue: string): Promise<QueueHead[]> {
    const first = await collection.findOne<Waiting>(inQueue(partners, queue), {
      sort: { claimableAt: 1 },
      projection: { partnerId: 1, claimableAt: 1 },
      hint: "waiting",
    });
    if (!first?.claimableAt) return [];
    partners.set(queue, first.partnerId);
    return [{ queue, claimableAt: first.claimableAt }];
  }
}
