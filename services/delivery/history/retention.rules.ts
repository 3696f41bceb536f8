/** How long events can be read and replayed, and how long deliveries are shown. */

const DAY_MS = 24 * 60 * 60 * 1_000;

export const EVENT_RETENTION_MS = 30 * DAY_MS;
export const RECORD_RETENTION_MS = 90 * DAY_MS;

/** Longer than a delivery can wait: an event can be on its way for this long after it occurred. */
export const MAX_DELIVERY_MS = 5 * DAY_MS;

export const isExpired = (occurredAt: Date, nowMs: number): boolean =>
  nowMs - occurredAt.getTime() > EVENT_RETENTION_MS;
