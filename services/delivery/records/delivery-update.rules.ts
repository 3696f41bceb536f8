/** Updates of a delivery's record; each applies only to the state it was made for. */
import type { AttemptOutcome } from "./attempt-outcome.rules.ts";
import type { AttemptRecord, DeliveryRecord } from "./delivery.model.ts";
import { failureWord } from "./last-failure.rules.ts";
import type { Next } from "./retry.rules.ts";

export type AttemptRef = { deliveryId: string; partnerId: string; attemptNo: number };

export type DeliveryUpdate = AttemptRef & {
  /** Nothing more will be sent: it leaves its queue. */
  isFinal: boolean;
  set: Partial<DeliveryRecord>;
  attempts: AttemptRecord[];
};

type SealedOutcome = Omit<AttemptOutcome, "responseExcerpt"> & { sealedExcerpt: string | null };

export function attempted(ref: AttemptRef, outcome: SealedOutcome, next: Next, atMs: number): DeliveryUpdate {
  const { statusCode, errorKind } = outcome;
  const nextAttemptAt = next.status === "Pending" ? new Date(next.nextAttemptAt) : null;
  return {
    ...ref,
    isFinal: nextAttemptAt === null,
    attempts: [attemptRecord(ref.attemptNo, outcome)],
    set: {
      attemptCount: ref.attemptNo,
      lastStatusCode: statusCode,
      lastFailure: errorKind && failureWord(errorKind, statusCode),
      postponed: 0,
      nextAttemptAt,
      ...(nextAttemptAt
        ? { claimableAt: nextAttemptAt }
        : { status: next.status, completedAt: new Date(atMs) }),
    },
  };
}

/** The attempt was not made and is not counted; it waits for its turn. */
export function putOff(ref: AttemptRef, claimableAtMs: number, nextAttemptAtMs?: number): DeliveryUpdate {
  const next = nextAttemptAtMs === undefined ? {} : { nextAttemptAt: new Date(nextAttemptAtMs) };
  const set = { ...next, claimableAt: new Date(claimableAtMs) };
  return { ...ref, isFinal: false, attempts: [], set };
}

/** The same after a fault of ours, which is counted: the next one waits longer. */
export function putOffByFault(ref: AttemptRef, postponed: number, claimableAtMs: number): DeliveryUpdate {
  const update = putOff(ref, claimableAtMs);
  return { ...update, set: { ...update.set, postponed: postponed + 1 } };
}

/** The endpoint is disabled or gone: nothing more will be sent. The entry says why; it is not counted. */
export function exhausted(ref: AttemptRef, atMs: number): DeliveryUpdate {
  const at = new Date(atMs);
  const set = {
    status: "Exhausted" as const,
    lastFailure: NOT_MADE_FAILURE,
    nextAttemptAt: null,
    completedAt: at,
  };
  return { ...ref, isFinal: true, attempts: [{ ...NOT_MADE, attemptNo: ref.attemptNo, sentAt: at }], set };
}

/** The entry of an attempt that was not made any more. */
export const NOT_MADE = {
  statusCode: null,
  sealedExcerpt: null,
  durationMs: 0,
  errorKind: "EndpointDisabled",
} as const satisfies Partial<AttemptRecord>;

export const NOT_MADE_FAILURE = failureWord(NOT_MADE.errorKind, NOT_MADE.statusCode);

const attemptRecord = (attemptNo: number, outcome: SealedOutcome): AttemptRecord => ({
  attemptNo,
  sentAt: outcome.sentAt,
  statusCode: outcome.statusCode,
  sealedExcerpt: outcome.sealedExcerpt,
  durationMs: outcome.durationMs,
  errorKind: outcome.errorKind,
});
