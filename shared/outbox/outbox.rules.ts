/** Pure: when an event in an outbox is published, and under which message id. */
import { backoffMs } from "../backoff.rules.ts";

/** What this process knows of an entry it published; sequence is null until the broker answers. */
export type Sent = {
  at: number;
  sequence: number | null;
  times: number;
  /** The broker had it already: an earlier publish was stored, and only its answer was lost. */
  wasThere?: boolean;
};

/**
 * Bounds of the stream, and how far its consumer has been delivered and has settled everything. A message that is never
 * settled, for example lost by the server in a crash, keeps handledUpTo where it is indefinitely.
 */
export type Reach = {
  createdAtMs: number;
  firstSequence: number;
  lastSequence: number;
  deliveredUpTo: number;
  handledUpTo: number;
};

export type Intervals = { sweepMs: number; reconcileMs: number };

/** An unconfirmed event is published less and less often, so that a fault elsewhere cannot fill the stream. */
const MAX_PATIENCE_FACTOR = 32;

/** A confirmation takes a moment; after this long it is worth looking whether the stream still exists. */
const LATE_MS = 10_000;

/**
 * foreign: not sent by this process, maybe by the one that wrote it. late: sent, and not confirmed in the usual time.
 * overdue: not confirmed for so long that it is sent again.
 */
export function entryState(
  occurredAt: number,
  sent: Sent | undefined,
  now: number,
  { sweepMs, reconcileMs }: Intervals,
): "foreign" | "overdue" | "late" | "wait" {
  if (!sent) {
    const age = now - occurredAt;
    // So young that the process that wrote it is still publishing it.
    return age >= 0 && age < sweepMs ? "wait" : "foreign";
  }
  if (sent.sequence === null) return "wait";
  const patience = backoffMs(reconcileMs, reconcileMs * MAX_PATIENCE_FACTOR, sent.times - 1);
  if (now - sent.at >= patience) return "overdue";
  return now - (sent.wasThere ? occurredAt : sent.at) >= LATE_MS ? "late" : "wait";
}

/**
 * Whether nobody published a foreign event: everything in the stream up to a while after it occurred is handled, and yet
 * it is still in the outbox. If the stream cannot be asked, wait as long as for a confirmation.
 */
export function isLeftBehind(
  occurredAt: number,
  handledBefore: number | null,
  now: number,
  { sweepMs, reconcileMs }: Intervals,
): boolean {
  if (occurredAt > now) return true;
  return handledBefore === null ? now - occurredAt >= reconcileMs : occurredAt <= handledBefore - sweepMs;
}

/** A position of the stream to check later: once it is handled, so is everything published before it. */
export type Mark = { handledBefore: number; next: { at: number; lastSequence: number } | null };

export const NO_MARK: Mark = { handledBefore: 0, next: null };

export function moveMark(
  { handledBefore, next }: Mark,
  at: number,
  reach: Reach,
  { reconcileMs }: Pick<Intervals, "reconcileMs">,
): Mark {
  const newest = { at, lastSequence: reach.lastSequence };
  const wasLost = next !== null && next.lastSequence > reach.lastSequence;
  if (next === null || wasLost) return { handledBefore, next: newest };
  // What was delivered long ago is handled, or never will be.
  const settledUpTo = at - next.at >= reconcileMs ? reach.deliveredUpTo : reach.handledUpTo;
  return settledUpTo >= next.lastSequence
    ? { handledBefore: next.at, next: newest }
    : { handledBefore, next };
}

/** Message id for publishing a late or overdue event again; null while it is still queued in the stream. */
export function overdueMessageId(
  eventId: string,
  { sequence, at, times }: Sent & { sequence: number },
  state: "overdue" | "late",
  reach: Reach,
): string | null {
  const streamWasLost = sequence > reach.lastSequence || reach.createdAtMs > at;
  if (streamWasLost) return eventId;
  // A new id, because the server still remembers the first and would drop it.
  const newId = `${eventId}:${sequence}`;
  const isGivenOut = sequence < reach.firstSequence || sequence <= reach.deliveredUpTo;
  // Soon once: after a fault of the disk it is gone, and another message has its place. Later with patience.
  return isGivenOut && (state === "overdue" || times === 1) ? newId : null;
}

/** Start of the next page; pages are ordered by each outbox's first event after the current start. */
export function lastSeen(page: readonly (readonly { eventId: string }[])[], after: string): string {
  let last = after;
  for (const outbox of page) {
    const newer = outbox.map(({ eventId }) => eventId).filter((eventId) => eventId > after);
    const [first] = newer.sort();
    if (first !== undefined && first > last) last = first;
  }
  return last;
}
