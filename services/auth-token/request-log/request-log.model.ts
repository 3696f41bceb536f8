/** The collections of the request log: one document a request, and how many were not kept, by hour. */

export type StoredRequest = {
  _id: string;
  partnerId: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  code: string | null;
  fields: string[];
  requestId: string;
  durationMs: number;
  /** Only of a request that was refused or failed, for the list of these. */
  isFailed?: true;
};

export type DroppedRequests = {
  /** Partner and hour. */
  _id: string;
  partnerId: string;
  at: Date;
  count: number;
};

export const KEPT_SECONDS = 7 * 24 * 3_600;
