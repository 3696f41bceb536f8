/**
 * Brings deliveries that a release without partitions stored into the queue of their partition. Doing it again, or at the
 * same time as another process, changes nothing.
 */
import type { Connection } from "mongoose";
import { BY_ID, collectionOf } from "../../../shared/mongo/mongo.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";
import { deliveryModel } from "./delivery.model.ts";
import { laneOf, queueName, WITHOUT_PARTITION } from "./queue-name.rules.ts";

const PER_STEP = 1_000;

/** One step of it; answers the partners whose deliveries it moved. */
export async function adoptQueues(connection: Connection, partitions: number): Promise<string[]> {
  const deliveries = collectionOf(deliveryModel(connection));
  const found = await deliveries
    .find(
      { queue: WITHOUT_PARTITION },
      { projection: { queue: 1, partnerId: 1, endpointId: 1, replaySeries: 1 }, limit: PER_STEP },
    )
    .toArray();
  const queues = [...Map.groupBy(found, ({ queue }) => queue)];
  await Promise.all(
    queues.map(async ([old, [first, ...others]]) => {
      // All of a queue is one partner's.
      if (!first || old === undefined) return;
      const { endpointId, partnerId } = first;
      const place = { endpointId, partition: partitionOf(partnerId, partitions) };
      const ids = [first, ...others].map(({ _id }) => _id);
      const update = { $set: { queue: queueName(place, laneOf(first)) } };
      await deliveries.updateMany({ _id: { $in: ids }, partnerId, queue: old }, update, BY_ID);
    }),
  );
  return [...new Set(found.map(({ partnerId }) => partnerId))];
}
