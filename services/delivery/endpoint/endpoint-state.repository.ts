/** Reads and writes pauses, recoveries and the latest outcomes of endpoints. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { EndpointState } from "./endpoint-state.model.ts";

export type OutcomeTimes = Pick<EndpointState, "lastSuccessAt" | "lastFailureAt">;

export type EndpointStateRepository = ReturnType<typeof endpointStateRepository>;

export function endpointStateRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.endpointStates);
  const upsert = { upsert: true } as const;

  return {
    find: (endpointId: string): Promise<EndpointState | null> => collection.findOne({ _id: endpointId }),
    /** Never shortens a pause. */
    async pause({ endpointId, partition }: PartitionedEndpoint, untilMs: number): Promise<void> {
      const update = { $max: { pausedUntil: new Date(untilMs) }, $set: { partition } };
      await collection.updateOne({ _id: endpointId }, update, upsert);
    },
    async startRecovery({ endpointId, partition }: PartitionedEndpoint, atMs: number): Promise<void> {
      const update = { $set: { recoveringSince: new Date(atMs), partition } };
      await collection.updateOne({ _id: endpointId }, update, upsert);
    },
    async endRecovery(endpointId: string): Promise<void> {
      await collection.updateOne({ _id: endpointId }, { $unset: { recoveringSince: 1 } });
    },
    /** The endpoints of these partitions that are paused or recover. Takes the partition from the others. */
    async current(partitions: readonly number[], atMs: number): Promise<EndpointState[]> {
      const states = await collection.find({ partition: { $in: [...partitions] } }).toArray();
      const isOver = ({ pausedUntil, recoveringSince }: EndpointState) =>
        !recoveringSince && (pausedUntil?.getTime() ?? 0) <= atMs;
      const over = states.filter(isOver);
      if (over.length > 0) {
        const stillOver = { recoveringSince: null as never, pausedUntil: { $not: { $gt: new Date(atMs) } } };
        const ids = over.map(({ _id }) => _id);
        await collection.updateMany({ _id: { $in: ids }, ...stillOver }, { $unset: { partition: 1 } });
      }
      return states.filter((state) => !isOver(state));
    },
    /** Keeps a later time that another process stored. */
    async storeTimes(times: ReadonlyMap<string, OutcomeTimes>): Promise<void> {
      const writes = [...times].map(([_id, $max]) => ({
        updateOne: { filter: { _id }, update: { $max }, ...upsert },
      }));
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}
