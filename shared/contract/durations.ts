/** Durations that partners rely on: the services keep them, the answers and the documents name them. */

export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

export const ACCESS_TOKEN_SECONDS = 300;
export const UPLOAD_LINK_SECONDS = 1_800;
/** The first answer to an Idempotency-Key is given again for this long. */
export const IDEMPOTENCY_HOURS = 24;
/** A replaced webhook secret still signs for this long. */
export const SECRET_OVERLAP_HOURS = 24;
export const INVITATION_HOURS = 24;
export const REQUEST_LOG_DAYS = 7;
/** Events can be read and replayed for this long. */
export const EVENT_DAYS = 30;
export const EVENT_RETENTION_MS = EVENT_DAYS * DAY_MS;
/** A replay spans at most this. */
export const REPLAY_WINDOW_MS = 7 * DAY_MS;
/** Deliveries and replays are shown for this long. */
export const HISTORY_DAYS = 90;
