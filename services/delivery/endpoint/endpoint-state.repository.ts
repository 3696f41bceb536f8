/** Pauses and recoveries of endpoints, kept for whoever holds their partition. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import type { EndpointPlace } from "../records/queue-name.rules.ts";
import { type EndpointState, endpointStateModel } from "./endpoint-state.model.ts";

export type EndpointStateRepository = {
  /** Never shortens a pause. */
  pause(place: EndpointPlace, untilMs: number): Promise<void>;
  pausedUntil(endpointId: string): Promise<Date | null>;
  startRecovery(place: EndpointPlace, atMs: number): Promise<void>;
  endRecovery(endpointId: string): Promise<void>;
  /** Those of these partitions that are paused or recovering; forgets the others. */
  current(partitions: readonly number[], atMs: number): Promise<EndpointState[]>;
};

export function endpointStateRepository(connection: Connection): EndpointStateRepository {
  const collection = collectionOf(endpointStateModel(connection));
  const upsert = { upsert: true } as const;

  return {
    async pause({ endpointId, partition }, untilMs) {
      const update = {
        $max: { pausedUntil: new Date(untilMs) },
        $set: { partition },
        $setOnInsert: { recoveringSince: null },
      };
      await collection.updateOne({ _id: endpointId }, update, upsert);
    },
    async pausedUntil(endpointId) {
      return (await collection.findOne({ _id: endpointId }))?.pausedUntil ?? null;
    },
    async startRecovery({ endpointId, partition }, atMs) {
      const update = {
        $set: { recoveringSince: new Date(atMs), partition },
        $setOnInsert: { pausedUntil: null },
      };
      await collection.updateOne({ _id: endpointId }, update, upsert);
    },
    async endRecovery(endpointId) {
      await collection.updateOne({ _id: endpointId }, { $set: { recoveringSince: null } });
    },
    async current(partitions, atMs) {
      const states = await collection.find({ partition: { $in: [...partitions, null] } }).toArray();
      const isOver = ({ pausedUntil, recoveringSince }: EndpointState) =>
        recoveringSince === null && (pausedUntil?.getTime() ?? 0) <= atMs;
      const over = states.filter(isOver);
      if (over.length > 0) {
        const stillOver = { recoveringSince: null, pausedUntil: { $not: { $gt: new Date(atMs) } } };
        await collection.deleteMany({ _id: { $in: over.map(({ _id }) => _id) }, ...stillOver });
      }
      return states.filter((state) => !isOver(state));
    },
  };
}
