/** A delivery as the dashboard sees it. */
import type { DeliveryDetail, DeliveryView } from "../../../shared/contract/answers/delivery.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import { kindOfFailure } from "../records/last-failure.rules.ts";

export const toView = (delivery: Omit<DeliveryRecord, "attempts">): DeliveryView => ({
  id: delivery._id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  eventVersion: delivery.eventVersion,
  occurredAt: delivery.occurredAt.toISOString(),
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  nextAttemptAt: iso(delivery.nextAttemptAt),
  lastStatusCode: delivery.lastStatusCode,
  lastErrorKind: delivery.lastFailure ? kindOfFailure(delivery.lastFailure) : null,
  customerId: delivery.customerId,
  isReplay: delivery.replaySeries !== null,
  replaySeries: delivery.replaySeries,
  completedAt: iso(delivery.completedAt),
});

export const toDetail = (
  delivery: DeliveryRecord,
  envelopeJson: string | null,
  /** By attempt. */
  excerpts: readonly (string | null)[],
): DeliveryDetail => ({
  ...toView(delivery),
  attempts: delivery.attempts.map(({ attemptNo, sentAt, statusCode, durationMs, errorKind }, index) => ({
    attemptNo,
    sentAt: sentAt.toISOString(),
    statusCode,
    responseExcerpt: excerpts[index] ?? null,
    durationMs,
    errorKind,
  })),
  envelopeJson,
});

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
