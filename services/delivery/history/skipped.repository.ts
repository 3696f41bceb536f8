/** Events that were not sent because the endpoint was disabled: never planned, or given up when it happened. */
import type { Connection, mongo } from "mongoose";
import type { Skipped } from "../../../shared/contract/actions/delivery.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { EventRecord } from "../records/event.model.ts";
import { MAX_DELIVERY_MS } from "../records/retention.rules.ts";
import { ALL_EVENT_TYPES } from "./history.rules.ts";

export type SkippedRepository = {
  since(partnerId: string, since: Date): Promise<Skipped>;
};

export function skippedRepository(connection: Connection): SkippedRepository {
  const events = collectionOf(connection, COLLECTIONS.events);
  const deliveries = collectionOf(connection, COLLECTIONS.deliveries);

  return {
    async since(partnerId, since) {
      const unrouted: mongo.Filter<EventRecord> = {
        partnerId,
        endpointId: null,
        occurredAt: { $gte: new Date(since.getTime() - MAX_DELIVERY_MS) },
        recordedAt: { $gte: since },
      };
      const exhausted: mongo.Filter<DeliveryRecord> = {
        partnerId,
        counted: { $in: [true, false] },
        status: "Exhausted",
        eventType: { $in: [...ALL_EVENT_TYPES] },
        occurredAt: { $gte: new Date(since.getTime() - MAX_DELIVERY_MS) },
        completedAt: { $gte: since },
        "attempts.errorKind": "EndpointDisabled",
      };
      const oldestFirst = { sort: { occurredAt: 1 as const }, projection: { occurredAt: 1 } };
      const [unroutedCount, givenUpCount, firstUnrouted, firstGivenUp] = await Promise.all([
        events.countDocuments(unrouted),
        deliveries.countDocuments(exhausted),
        events.findOne(unrouted, oldestFirst),
        deliveries.findOne(exhausted, oldestFirst),
      ]);
      const times = [firstUnrouted, firstGivenUp].flatMap((found) =>
        found ? [found.occurredAt.toISOString()] : [],
      );
      return {
        skipped: unroutedCount + givenUpCount,
        oldestOccurredAt: times.toSorted()[0] ?? null,
      };
    },
  };
}
