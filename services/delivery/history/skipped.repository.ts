/** Events that were not sent because the endpoint was disabled: never scheduled, or exhausted at that moment. */
import type { Connection, mongo } from "mongoose";
import type { Skipped } from "../../../shared/contract/actions/delivery.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import { MAX_DELIVERY_MS } from "../records/retention.rules.ts";
import { ALL_EVENT_TYPES } from "./history.rules.ts";

export function skippedRepository(connection: Connection) {
  const events = collectionOf(connection, COLLECTIONS.events);
  const deliveries = collectionOf(connection, COLLECTIONS.deliveries);

  return {
    async since(partnerId: string, since: Date): Promise<Skipped> {
      const occurredAt = { $gte: new Date(since.getTime() - MAX_DELIVERY_MS) };
      const unrouted = { partnerId, endpointId: null, occurredAt, recordedAt: { $gte: since } };
      const exhausted: mongo.Filter<DeliveryRecord> = {
        partnerId,
        counted: { $in: [true, false] },
        status: "Exhausted",
        eventType: { $in: [...ALL_EVENT_TYPES] },
        occurredAt,
        completedAt: { $gte: since },
        "attempts.errorKind": "EndpointDisabled",
      };
      const oldestFirst = { sort: { occurredAt: 1 as const }, projection: { occurredAt: 1 } };
      const [unroutedCount, exhaustedCount, ...oldest] = await Promise.all([
        events.countDocuments(unrouted),
        deliveries.countDocuments(exhausted),
        events.findOne(unrouted, oldestFirst),
        deliveries.findOne(exhausted, oldestFirst),
      ]);
      const times = oldest.flatMap((found) => (found ? [found.occurredAt.toISOString()] : []));
      return {
        skipped: unroutedCount + exhaustedCount,
        oldestOccurredAt: times.toSorted()[0] ?? null,
      };
    },
  };
}
