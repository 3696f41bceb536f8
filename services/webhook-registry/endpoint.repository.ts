/** Reads and writes webhook endpoints; changes are compare-and-set on the version that was read. */
import type { Connection, QueryFilter } from "mongoose";
import { collectionOf, createNew, modelOf } from "../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "./collections.ts";
import { type Endpoint, endpointSchema } from "./endpoint.model.ts";

export type EndpointChange = Partial<Omit<Endpoint, "_id" | "partnerId" | "createdAt" | "version">>;

export type EndpointRepository = ReturnType<typeof endpointRepository>;

const SWEEP_BATCH = 500;

export function endpointRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.endpoints, endpointSchema);
  const someOf = (filter: QueryFilter<Endpoint>): Promise<Endpoint[]> =>
    model.find(filter).limit(SWEEP_BATCH).lean<Endpoint[]>().exec();
  return {
    findByPartner: (partnerId: string): Promise<Endpoint | null> =>
      model.findOne({ partnerId }).lean<Endpoint>().exec(),
    /** False when the partner has an endpoint already. */
    insert: (endpoint: Endpoint): Promise<boolean> => createNew(model, endpoint),
    /** Changes the endpoint unless it has changed since it was read; then answers null. */
    replaceIfUnchanged: ({ _id, version }: Endpoint, change: EndpointChange): Promise<Endpoint | null> =>
      model
        .findOneAndUpdate(
          { _id, version },
          { $set: change, $inc: { version: 1 } },
          { returnDocument: "after" },
        )
        .lean<Endpoint>()
        .exec(),
    findDegradedSince: (failingSince: Date) =>
      someOf({ status: "Degraded", failingSince: { $lte: failingSince } }),
    findWithExpiredSecrets: (now: Date) => someOf({ "secrets.notAfter": { $type: "date", $lte: now } }),
    pageAfter: (endpointId: string, limit: number): Promise<Endpoint[]> =>
      model
        .find({ _id: { $gt: endpointId } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<Endpoint[]>()
        .exec(),
    /** Leaves out endpoints that have changed since they were read. */
    async replaceSecrets(endpoints: readonly Endpoint[]): Promise<void> {
      const writes = endpoints.map(({ _id, version, secrets }) => ({
        updateOne: { filter: { _id, version }, update: { $set: { secrets }, $inc: { version: 1 } } },
      }));
      await collectionOf(connection, COLLECTIONS.endpoints).bulkWrite(writes, { ordered: false });
    },
  };
}
