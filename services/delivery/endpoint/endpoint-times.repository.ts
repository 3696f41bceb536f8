/** Reads and writes when endpoints last succeeded and failed. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { type EndpointTimes, endpointTimesModel } from "./endpoint-times.model.ts";

export type Times = Omit<EndpointTimes, "_id">;
export type EndpointTimesRepository = ReturnType<typeof endpointTimesRepository>;

export function endpointTimesRepository(connection: Connection) {
  const collection = collectionOf(endpointTimesModel(connection));
  return {
    find: (endpointId: string): Promise<EndpointTimes | null> => collection.findOne({ _id: endpointId }),
    /** Another process may have stored later ones; those stay. */
    async store(times: ReadonlyMap<string, Times>): Promise<void> {
      const writes = [...times].map(([_id, $max]) => ({
        updateOne: { filter: { _id }, update: { $max }, upsert: true },
      }));
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}
