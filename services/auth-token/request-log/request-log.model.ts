/** The request log: one document per request, and the number of dropped requests per hour. */
import type { LoggedRequest } from "../../../shared/contract/answers/credential.ts";
import { DAY_MS, REQUEST_LOG_DAYS } from "../../../shared/contract/durations.ts";

export type StoredRequest = Omit<LoggedRequest, "id" | "at"> & {
  _id: string;
  partnerId: string;
  at: Date;
  /** Set for a request that was refused or failed, for the list of these. */
  isFailed?: true;
};

export type DroppedRequests = {
  /** Partner and hour. */
  _id: string;
  partnerId: string;
  at: Date;
  count: number;
};

export const KEPT_SECONDS = (REQUEST_LOG_DAYS * DAY_MS) / 1_000;
