/** A delivery as the dashboard sees it. */
import type { AttemptRecord, DeliveryRecord } from "../records/delivery.model.ts";

export type DeliveryView = {
  id: string;
  eventId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: string;
  status: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  isReplay: boolean;
  replaySeries: string | null;
  completedAt: string | null;
};

export type AttemptView = Omit<AttemptRecord, "sentAt"> & { sentAt: string };

export type DeliveryDetail = DeliveryView & {
  attempts: AttemptView[];
  /** The exact signed body; null once purged. */
  envelopeJson: string | null;
};

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
  isReplay: delivery.replaySeries !== null,
  replaySeries: delivery.replaySeries,
  completedAt: iso(delivery.completedAt),
});

export const toDetail = (delivery: DeliveryRecord, envelopeJson: string | null): DeliveryDetail => ({
  ...toView(delivery),
  attempts: delivery.attempts.map(
    ({ attemptNo, sentAt, statusCode, responseExcerpt, durationMs, errorKind }) => ({
      attemptNo,
      sentAt: sentAt.toISOString(),
      statusCode,
      responseExcerpt,
      durationMs,
      errorKind,
    }),
  ),
  envelopeJson,
});

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
