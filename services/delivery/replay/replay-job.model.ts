/** A replay of a window, running or done. Another process continues it at its cursor when its process dies. */
import type { DeliveryStatus } from "../../../shared/contract/vocabularies.ts";

export type ReplayJob = {
  /** The replay series. */
  _id: string;
  partnerId: string;
  /** Rises by one with each replay of the partner. It is unique, so only one of two concurrent requests becomes the next. */
  number: number;
  endpointId: string;
  from: Date;
  to: Date;
  eventTypes: string[];
  status: DeliveryStatus | null;
  includeUnrouted: boolean;
  /** Events recorded later do not belong to it. */
  askedAt: Date;
  /** The last processed event. */
  cursor: { occurredAt: Date; eventId: string } | null;
  /** Deliveries created until now, and in total. */
  created: number;
  expected: number;
  /** A process may claim the job from then on; null when it is done. */
  claimableAt: Date | null;
  claim: string | null;
  finishedAt: Date | null;
  /** A person stopped it. */
  isStopped: boolean;
};

/** The request for a replay, and the selection of its events. */
export type AskedReplay = Pick<
  ReplayJob,
  "partnerId" | "endpointId" | "from" | "to" | "eventTypes" | "status" | "includeUnrouted" | "askedAt"
>;
