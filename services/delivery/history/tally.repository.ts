/** Moves finished deliveries into the tallies of their days. */
import type { Connection } from "mongoose";
import { BY_ID, collectionOf, placed } from "../../../shared/mongo/mongo.ts";
import { type DeliveryRecord, deliveryModel } from "../records/delivery.model.ts";
import { ALL_EVENT_TYPES } from "./history.rules.ts";
import { tallyModel } from "./tally.model.ts";
import { type TallyKind, talliesOf, tallyKey } from "./tally.rules.ts";

export type TallyRepository = {
  /** Partners with deliveries that are in no tally. */
  partners(): Promise<string[]>;
  uncounted(partnerId: string, limit: number): Promise<number>;
  /** Counts some finished deliveries of a partner; answers how many. */
  count(partnerId: string, limit: number): Promise<number>;
};

type Countable = Pick<DeliveryRecord, "_id" | "partnerId" | "status" | "eventType" | "occurredAt">;

const COUNTABLE = { partnerId: 1, status: 1, eventType: 1, occurredAt: 1 } as const;

export function tallyRepository(connection: Connection): TallyRepository {
  const deliveries = collectionOf(deliveryModel(connection));
  const tallies = collectionOf(tallyModel(connection));
  const finished = (partnerId: string) => ({
    partnerId,
    counted: false,
    status: { $in: ["Delivered" as const, "Exhausted" as const] },
    eventType: { $in: [...ALL_EVENT_TYPES] },
  });

  return {
    partners: async () => (await deliveries.distinct("partnerId")) as string[],
    uncounted: (partnerId, limit) => deliveries.countDocuments(finished(partnerId), { limit }),

    count: (partnerId, limit) =>
      connection.transaction(async (session) => {
        // Oldest first: the index keys of the newest, which pages read, stay in place.
        const found = await deliveries
          .find<Countable>(finished(partnerId), { session, projection: COUNTABLE })
          .sort({ occurredAt: 1, _id: 1 })
          .limit(limit)
          .toArray();
        if (found.length === 0) return 0;
        await deliveries.updateMany(placed(found), { $set: { counted: true } }, { session, ...BY_ID });
        await tallies.bulkWrite(increments(found), { session });
        return found.length;
      }),
  };
}

function increments(found: readonly Countable[]) {
  const changes = new Map<
    string,
    { partnerId: string; kind: TallyKind; at: Date | null; $inc: Record<string, number> }
  >();
  for (const { partnerId, status, eventType, occurredAt } of found) {
    const field = `counts.${tallyKey(status, eventType)}`;
    for (const { kind, at } of talliesOf(occurredAt)) {
      const id = `${partnerId}/${kind}/${at?.toISOString() ?? ""}`;
      const change = changes.get(id) ?? { partnerId, kind, at, $inc: {} };
      changes.set(id, change);
      change.$inc[field] = (change.$inc[field] ?? 0) + 1;
    }
  }
  return [...changes].map(([_id, { partnerId, $inc, ...$setOnInsert }]) => ({
    updateOne: { filter: { _id, partnerId }, update: { $inc, $setOnInsert }, upsert: true, ...BY_ID },
  }));
}
