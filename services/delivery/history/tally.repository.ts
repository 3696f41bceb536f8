/** Moves finished deliveries into the tallies of their days. */
import type { Connection } from "mongoose";
import { BY_ID, collectionOf, placed } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import { ALL_EVENT_TYPES } from "./history.rules.ts";
import { hourOf, type TallyKind, talliesOf, tallyKey } from "./tally.rules.ts";

export type TallyRepository = ReturnType<typeof tallyRepository>;

const COUNTABLE = { partnerId: 1, status: 1, eventType: 1, occurredAt: 1 } as const;

type Countable = Pick<DeliveryRecord, "_id" | keyof typeof COUNTABLE>;

export function tallyRepository(connection: Connection) {
  const deliveries = collectionOf(connection, COLLECTIONS.deliveries);
  const tallies = collectionOf(connection, COLLECTIONS.tallies);
  const finished = (partnerId: string) => ({
    partnerId,
    counted: false,
    status: { $in: ["Delivered" as const, "Exhausted" as const] },
    eventType: { $in: [...ALL_EVENT_TYPES] },
  });

  return {
    /** Partners with deliveries that are in no tally. */
    partners: async () => (await deliveries.distinct("partnerId")) as string[],
    uncounted: (partnerId: string, limit: number): Promise<number> =>
      deliveries.countDocuments(finished(partnerId), { limit }),

    /** Counts some finished deliveries of a partner; answers how many. */
    count: (partnerId: string, limit: number): Promise<number> =>
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

/** Deliveries with the same key are counted in the same fields of the same tallies. */
const likenessOf = ({ partnerId, status, eventType, occurredAt }: Countable): string =>
  `${partnerId} ${status} ${eventType} ${hourOf(occurredAt)}`;

type Change = { partnerId: string; kind: TallyKind; at: Date; $inc: Record<string, number> };

function increments(found: readonly Countable[]) {
  const changes = new Map<string, Change>();
  // The deliveries of a step belong to a few tallies: each name is built once.
  for (const alike of Map.groupBy(found, likenessOf).values()) {
    const { partnerId, status, eventType, occurredAt } = alike[0] as Countable;
    const field = `counts.${tallyKey(status, eventType)}`;
    for (const { kind, at } of talliesOf(occurredAt)) {
      const id = `${partnerId}/${kind}/${at.toISOString()}`;
      const change = changes.get(id) ?? { partnerId, kind, at, $inc: {} };
      changes.set(id, change);
      change.$inc[field] = (change.$inc[field] ?? 0) + alike.length;
    }
  }
  return [...changes].map(([_id, { partnerId, $inc, ...$setOnInsert }]) => ({
    updateOne: { filter: { _id, partnerId }, update: { $inc, $setOnInsert }, upsert: true, ...BY_ID },
  }));
}
