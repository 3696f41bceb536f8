/** What becomes of a delivery's record, as the database is told. Each is fenced: it meets only the state it was made for. */
import type { AttemptOutcome } from "./attempt-outcome.rules.ts";
import type { AttemptRecord } from "./delivery.model.ts";
import type { Next } from "./retry.rules.ts";

export type DeliveryUpdate = {
  q: { _id: string; status: "Pending"; attemptCount: number };
  u: Readonly<Record<string, unknown>>;
};

export type AttemptRef = { deliveryId: string; attemptNo: number };

const fence = ({ deliveryId, attemptNo }: AttemptRef): DeliveryUpdate["q"] => ({
  _id: deliveryId,
  status: "Pending",
  attemptCount: attemptNo - 1,
});

/** Removed at the end: what is left of them would keep the delivery in the index of those that wait. */
const WAITING_FIELDS = { queue: "", claimableAt: "", claim: "" } as const;

/** An attempt was made and came to this. */
export function attempted(
  ref: AttemptRef,
  outcome: AttemptOutcome,
  next: Next,
  atMs: number,
): DeliveryUpdate {
  const result = { attemptCount: ref.attemptNo, lastStatusCode: outcome.statusCode, postponed: 0 };
  const attempts = attemptRecord(ref.attemptNo, outcome);
  if (next.status === "Pending") {
    const nextAttemptAt = new Date(next.nextAttemptAt);
    const $set = { ...result, nextAttemptAt, claimableAt: nextAttemptAt };
    return { q: fence(ref), u: { $set, $push: { attempts }, $unset: { claim: "" } } };
  }
  const $set = { ...result, status: next.status, nextAttemptAt: null, completedAt: new Date(atMs) };
  return { q: fence(ref), u: { $set, $push: { attempts }, $unset: WAITING_FIELDS } };
}

/** No attempt was made, and none is counted: it waits for its turn. */
export function putOff(ref: AttemptRef, claimableAtMs: number, nextAttemptAtMs?: number): DeliveryUpdate {
  const $set = {
    claimableAt: new Date(claimableAtMs),
    ...(nextAttemptAtMs === undefined ? {} : { nextAttemptAt: new Date(nextAttemptAtMs) }),
  };
  return { q: fence(ref), u: { $set, $inc: { postponed: 1 }, $unset: { claim: "" } } };
}

/** The endpoint is disabled or gone: nothing more will be sent. The entry says why; it is not counted. */
export function givenUp(ref: AttemptRef, atMs: number): DeliveryUpdate {
  const $set = { status: "Exhausted", nextAttemptAt: null, completedAt: new Date(atMs) };
  const attempts = notMade(ref.attemptNo, new Date(atMs));
  return { q: fence(ref), u: { $set, $push: { attempts }, $unset: WAITING_FIELDS } };
}

export const notMade = (attemptNo: number, at: Date): AttemptRecord => ({
  attemptNo,
  sentAt: at,
  statusCode: null,
  responseExcerpt: null,
  durationMs: 0,
  errorKind: "EndpointDisabled",
});

const attemptRecord = (attemptNo: number, outcome: AttemptOutcome): AttemptRecord => ({
  attemptNo,
  sentAt: new Date(outcome.sentAt),
  statusCode: outcome.statusCode,
  responseExcerpt: outcome.responseExcerpt,
  durationMs: outcome.durationMs,
  errorKind: outcome.errorKind,
});
