/** A replay of a window that is under way or done; a process that dies leaves it to another, at its cursor. */
import type { DeliveryStatus } from "../../../shared/contract/vocabularies.ts";

export type ReplayJob = {
  /** The replay series. */
  _id: string;
  partnerId: string;
  /** Rises by one with each replay of the partner, so that of two that want to be the next one becomes it. */
  number: number;
  endpointId: string;
  from: Date;
  to: Date;
  eventTypes: string[];
  status: DeliveryStatus | null;
  includeUnrouted: boolean;
  /** Events recorded later do not belong to it. */
  askedAt: Date;
  /** The last event that was dealt with. */
  cursor: { occurredAt: Date; eventId: string } | null;
  /** How many were planned until now, and how many there will be. */
  created: number;
  expected: number;
  /** Free to take from then on; null when it is done. */
  claimableAt: Date | null;
  claim: string | null;
  finishedAt: Date | null;
  /** Finished early, because a person wanted it. */
  isStopped: boolean;
};
