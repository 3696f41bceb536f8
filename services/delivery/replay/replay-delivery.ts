/** Sends the event of one delivery again, as a new delivery. */
import type { Clock } from "../../../shared/clock.ts";
import { orderedId } from "../../../shared/ids.ts";
import { type EndpointDirectory, liveEndpoint } from "../endpoint/endpoint-directory.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import { findDelivery } from "../history/get-delivery.ts";
import type { HistoryRepository } from "../history/history.repository.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { dueAt, replayOf } from "../records/delivery.rules.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { readInTime, usualEnd, writeInTime } from "../records/in-time.ts";
import { queueName } from "../records/queue-name.rules.ts";
import { isExpired } from "../records/retention.rules.ts";
import { eventExpired, MAX_WAITING, tooManyReplays } from "./replay.rules.ts";

type Deps = {
  history: Pick<HistoryRepository, "find">;
  events: Pick<EventRepository, "find">;
  deliveries: Pick<DeliveryRepository, "insert" | "countWaiting">;
  directory: Pick<EndpointDirectory, "find" | "forget">;
  partitions: Pick<EndpointPartitions, "locate">;
  /** A delivery of this partner waits to be sent. */
  onWaiting(partnerId: string): void;
  clock: Clock;
};

export async function replayDelivery(
  deps: Deps,
  partnerId: string,
  deliveryId: string,
  endsAt = usualEnd(),
): Promise<{ deliveryId: string }> {
  const replay = await readInTime(newReplay(deps, partnerId, deliveryId), endsAt);
  await writeInTime(() => deps.deliveries.insert([replay]), endsAt);
  deps.onWaiting(partnerId);
  return { deliveryId: replay._id };
}

async function newReplay(deps: Deps, partnerId: string, deliveryId: string): Promise<DeliveryRecord> {
  const { endpointId } = await liveEndpoint(deps.directory, partnerId);
  const original = await findDelivery(deps, partnerId, deliveryId);
  const event = await deps.events.find(partnerId, original.eventId);
  const now = deps.clock.now();
  if (!event || isExpired(event.occurredAt, now)) throw eventExpired();
  const target = deps.partitions.locate({ endpointId, partnerId });
  const waiting = await deps.deliveries.countWaiting(partnerId, queueName(target, "replay"), MAX_WAITING);
  if (waiting >= MAX_WAITING) throw tooManyReplays();
  return replayOf(event, { ...target, ...dueAt(now) }, orderedId(now));
}
