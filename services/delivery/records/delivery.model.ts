/** A delivery as it is stored, with its attempts. */
import type { AttemptView } from "../../../shared/contract/answers/delivery.ts";
import type { DeliveryStatus } from "../../../shared/contract/vocabularies.ts";

export type AttemptRecord = Omit<AttemptView, "sentAt" | "responseExcerpt"> & {
  sentAt: Date;
  /** The start of the answer, sealed by excerpts.ts. */
  sealedExcerpt: string | null;
};

export type DeliveryRecord = {
  _id: string;
  partnerId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: Date;
  customerId: string | null;
  /** The replay it belongs to; null for the first delivery of an event. */
  replaySeries: string | null;
  createdAt: Date;
  status: DeliveryStatus;
  attemptCount: number;
  attempts: AttemptRecord[];
  lastStatusCode: number | null;
  /** By last-failure.rules.ts; null when the last attempt did not fail. */
  lastFailure: string | null;
  nextAttemptAt: Date | null;
  completedAt: Date | null;
  /** True once it is part of the tallies, which make the total of a long history cheap. */
  counted: boolean;

  /** While pending: its queue, and when the due loop may claim it. */
  queue?: string;
  claimableAt?: Date;
  /** Token of its last claim, until the attempt is recorded or put off. */
  claim?: string;
  /** How often the next attempt was put off by a fault of ours. */
  postponed: number;
};
