/** Durations that partners rely on: the services keep them, the answers and the documents name them. */

export const ACCESS_TOKEN_SECONDS = 300;
export const UPLOAD_LINK_SECONDS = 1_800;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Events can be read and replayed for this long. */
export const EVENT_RETENTION_MS = 30 * DAY_MS;
/** A replay spans at most this. */
export const REPLAY_WINDOW_MS = 7 * DAY_MS;
