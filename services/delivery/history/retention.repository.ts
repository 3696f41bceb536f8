/** Removes the bodies of events too old to be replayed, and events too old to be shown. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { deliveryModel } from "../records/delivery.model.ts";
import { eventModel } from "../records/event.model.ts";

export type RetentionRepository = {
  /** Empties events with an id before this; those still on their way keep their body. Answers the last id it saw, null at the end. */
  emptyEvents(afterId: string, beforeId: string, limit: number): Promise<string | null>;
  deleteEvents(beforeId: string, limit: number): Promise<number>;
};

export function retentionRepository(connection: Connection): RetentionRepository {
  const events = collectionOf(eventModel(connection));
  const deliveries = collectionOf(deliveryModel(connection));

  return {
    async emptyEvents(afterId, beforeId, limit) {
      const found = await events
        .find(
          { _id: { $gt: afterId, $lt: beforeId } },
          { projection: { envelopeJson: { $type: "$envelopeJson" } } },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const full = found.filter(({ envelopeJson }) => envelopeJson === "string").map(({ _id }) => _id);
      if (full.length > 0) {
        const waiting = await deliveries.distinct("eventId", { queue: { $gt: "" }, eventId: { $in: full } });
        const onTheirWay = new Set(waiting);
        const free = full.filter((id) => !onTheirWay.has(id));
        await events.updateMany({ _id: { $in: free } }, { $set: { envelopeJson: null } });
      }
      return found.length < limit ? null : (found.at(-1)?._id ?? null);
    },

    async deleteEvents(beforeId, limit) {
      const found = await events
        .find({ _id: { $lt: beforeId } }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      if (found.length > 0) await events.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length;
    },
  };
}
