/** Pure: when an event in an outbox is published, and under which message id. */
import { backoffMs } from "../backoff.rules.ts";

/** What this process knows of an entry it published; sequence is null while the broker has not answered. */
export type Sent = { at: number; sequence: number | null; times: number };

/**
 * How far the stream reaches, how far its consumer was given messages, and up to where it settled all of them. A message
 * that is never settled, as when the server lost it in a crash, keeps handledUpTo where it is for ever.
 */
export type Reach = {
  firstSequence: number;
  lastSequence: number;
  deliveredUpTo: number;
  handledUpTo: number;
};

export type Intervals = { sweepMs: number; reconcileMs: number };

/** An event that stays unconfirmed is published ever more rarely, so that a fault elsewhere cannot fill the stream. */
const MAX_PATIENCE_FACTOR = 32;

/** foreign: not sent by this process, perhaps by the one that wrote it. overdue: sent, but not confirmed in time. */
export function verdict(
  occurredAt: number,
  sent: Sent | undefined,
  now: number,
  { sweepMs, reconcileMs }: Intervals,
): "foreign" | "overdue" | "wait" {
  if (!sent) {
    const age = now - occurredAt;
    // So young that the process which wrote it is publishing it now.
    return age >= 0 && age < sweepMs ? "wait" : "foreign";
  }
  if (sent.sequence === null) return "wait";
  const patience = backoffMs(reconcileMs, reconcileMs * MAX_PATIENCE_FACTOR, sent.times - 1);
  return now - sent.at >= patience ? "overdue" : "wait";
}

/**
 * Whether nobody published a foreign event: everything that was in the stream a while after it occurred was handled, and
 * yet it is here. Who cannot ask the stream waits as long as for a confirmation.
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

/** A point of the stream, to be looked for later: when it is handled, so is all that was published before it. */
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
  // What was given out long ago is handled, or never will be.
  const settledUpTo = at - next.at >= reconcileMs ? reach.deliveredUpTo : reach.handledUpTo;
  return settledUpTo >= next.lastSequence
    ? { handledBefore: next.at, next: newest }
    : { handledBefore, next };
}

/** The id under which an overdue event is published again; null while it still waits in the stream for its turn. */
export function overdueMessageId(eventId: string, sequence: number, reach: Reach): string | null {
  const streamWasLost = sequence > reach.lastSequence;
  if (streamWasLost) return eventId;
  // Given out, but no confirmation arrived. The server still knows the first id and would drop it.
  const notInStream = sequence < reach.firstSequence;
  return notInStream || sequence <= reach.deliveredUpTo ? `${eventId}:${sequence}` : null;
}

/** Where the next page begins, when pages come in the order of each outbox's first event after the mark. */
export function lastSeen(page: readonly (readonly { eventId: string }[])[], after: string): string {
  let last = after;
  for (const outbox of page) {
    const newer = outbox.map(({ eventId }) => eventId).filter((eventId) => eventId > after);
    const [first] = newer.sort();
    if (first !== undefined && first > last) last = first;
  }
  return last;
}
