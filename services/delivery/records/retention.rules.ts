/** How long records are kept. TTL indexes remove them some time after they are last shown, so none disappears while it is counted. */
import { DAY_MS, EVENT_RETENTION_MS, HISTORY_DAYS } from "../../../shared/contract/durations.ts";

const SECOND_MS = 1_000;
const RECORD_RETENTION_MS = HISTORY_DAYS * DAY_MS;

/** Longer than a delivery can wait: an event may be sent this long after it was scheduled. */
export const MAX_DELIVERY_MS = 5 * DAY_MS;

/** From its recording: a replay requested at the last moment still has a body to send. */
export const EVENT_KEPT_SECONDS = (EVENT_RETENTION_MS + MAX_DELIVERY_MS) / SECOND_MS;

/** The history begins at midnight and shows up to 91 days. Another day is for clocks that differ. */
export const RECORD_KEPT_SECONDS = (RECORD_RETENTION_MS + 2 * DAY_MS) / SECOND_MS;

/** Bodies of this UTC day are not shown from then on. MongoDB removes them later. */
export const excerptsExpireAt = (day: string): Date =>
  new Date(Date.parse(day) + DAY_MS + EVENT_RETENTION_MS);

export const isExpired = (occurredAt: Date, nowMs: number): boolean =>
  nowMs - occurredAt.getTime() > EVENT_RETENTION_MS;

/** Whole days, of which there are tallies. */
export const shownSince = (nowMs: number): Date =>
  new Date(Math.floor((nowMs - RECORD_RETENTION_MS) / DAY_MS) * DAY_MS);
