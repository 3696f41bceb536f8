/**
 * How long events and deliveries are kept. TTL indexes remove both some time after they are last shown, so that no shown
 * record disappears while it is counted.
 */
import { DAY_MS, EVENT_RETENTION_MS, HISTORY_DAYS } from "../../../shared/contract/durations.ts";

const SECOND_MS = 1_000;
const RECORD_RETENTION_MS = HISTORY_DAYS * DAY_MS;

/** Longer than a delivery can wait: an event can be on its way for this long after it was planned. */
export const MAX_DELIVERY_MS = 5 * DAY_MS;

/** From its recording on: a replay asked for at the last moment still has a body to send. */
export const EVENT_KEPT_SECONDS = (EVENT_RETENTION_MS + MAX_DELIVERY_MS) / SECOND_MS;

/** The history begins at a midnight, so it shows up to 91 days; another one for clocks that differ. */
export const RECORD_KEPT_SECONDS = (RECORD_RETENTION_MS + 2 * DAY_MS) / SECOND_MS;

/** From then on no body of an event of this UTC day is shown. MongoDB removes the bodies later. */
export const excerptsExpireAt = (day: string): Date =>
  new Date(Date.parse(day) + DAY_MS + EVENT_RETENTION_MS);

export const isExpired = (occurredAt: Date, nowMs: number): boolean =>
  nowMs - occurredAt.getTime() > EVENT_RETENTION_MS;

/** Whole days, of which there are tallies. */
export const shownSince = (nowMs: number): Date =>
  new Date(Math.floor((nowMs - RECORD_RETENTION_MS) / DAY_MS) * DAY_MS);
