/** A delivery as it is first stored. */
import type { DeliveryRecord } from "./delivery.model.ts";
import { firstDeliveryId, replayDeliveryId } from "./delivery-id.rules.ts";
import type { EventRecord } from "./event.model.ts";
import { type PartitionedEndpoint, priorityOf, queueName } from "./queue-name.rules.ts";

export const DELIVERABLE = {
  partnerId: 1,
  customerId: 1,
  eventType: 1,
  eventVersion: 1,
  occurredAt: 1,
} as const;

export type DeliverableEvent = Pick<EventRecord, "_id" | keyof typeof DELIVERABLE>;

type Placement = PartitionedEndpoint & {
  createdAtMs: number;
  nextAttemptAtMs: number;
  /** When the due loop may claim it; later than the attempt if it is handed over immediately. */
  claimableAtMs: number;
};

/** Times of a delivery that is due now. */
export const dueAt = (nowMs: number) => ({
  createdAtMs: nowMs,
  nextAttemptAtMs: nowMs,
  claimableAtMs: nowMs,
});

export const firstDelivery = (event: DeliverableEvent, placement: Placement): DeliveryRecord =>
  newDelivery(event, placement, firstDeliveryId(event._id, placement.endpointId), null);

/** Delivery of a replayed event; the series is the id of the replay. */
export const replayOf = (event: DeliverableEvent, placement: Placement, series: string): DeliveryRecord =>
  newDelivery(event, placement, replayDeliveryId(series, event._id), series);

function newDelivery(
  event: DeliverableEvent,
  { endpointId, partition, createdAtMs, nextAttemptAtMs, claimableAtMs }: Placement,
  id: string,
  replaySeries: string | null,
): DeliveryRecord {
  // First what indexes hold: the server looks for each of those from the beginning of the record.
  return {
    _id: id,
    partnerId: event.partnerId,
    counted: false,
    status: "Pending",
    eventType: event.eventType,
    occurredAt: event.occurredAt,
    createdAt: new Date(createdAtMs),
    customerId: event.customerId,
    replaySeries,
    // As the first success leaves it, so that this does not touch its index.
    lastFailure: null,
    queue: queueName({ endpointId, partition }, priorityOf({ replaySeries })),
    claimableAt: new Date(claimableAtMs),
    endpointId,
    eventId: event._id,
    eventVersion: event.eventVersion,
    attemptCount: 0,
    attempts: [],
    lastStatusCode: null,
    nextAttemptAt: new Date(nextAttemptAtMs),
    completedAt: null,
    postponed: 0,
  };
}
