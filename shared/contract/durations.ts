/** Durations that partners rely on: the services keep them, the answers and the documents name them. */

export const ACCESS_TOKEN_SECONDS = 300;
export const UPLOAD_LINK_SECONDS = 1_800;
