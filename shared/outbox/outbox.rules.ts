/** Pure: when an event in an outbox is published again. */
import { backoffMs } from "../backoff.rules.ts";

/** An entry that this process published; sequence is null until the broker answers. */
export type Sent = { at: number; sequence: number | null; times: number };

/** The end of the stream, and how far its consumer has been delivered. */
export type Reach = { lastSequence: number; deliveredUpTo: number; pending: number };

export type Intervals = { sweepMs: number; reconcileMs: number };

/** Recording and confirming an event takes less than this many sweeps. */
const USUAL_SWEEPS = 5;
const LONG_QUEUE = 1_000;
/** An unconfirmed event is published less and less often, so that a fault elsewhere cannot fill the stream. */
const MAX_PATIENCE_FACTOR = 32;

/** An event that this process did not publish may be lost with the process that wrote it. */
export function isDue(
  occurredAt: number,
  sent: Sent | undefined,
  now: number,
  { sweepMs, reconcileMs }: Intervals,
): boolean {
  const usualMs = USUAL_SWEEPS * sweepMs;
  // A later time is that of a process whose clock is ahead.
  if (!sent) return occurredAt > now || now - occurredAt >= usualMs;
  if (sent.sequence === null) return false;
  const isFirst = sent.times === 1;
  const patienceMs = isFirst
    ? usualMs
    : backoffMs(reconcileMs, reconcileMs * MAX_PATIENCE_FACTOR, sent.times - 2);
  return now - sent.at >= patienceMs;
}

/** A queued event needs no second message. Behind a long queue another process has probably published its events. */
export function isQueued(sent: Sent | undefined, { lastSequence, deliveredUpTo, pending }: Reach): boolean {
  if (!sent) return pending > LONG_QUEUE;
  return sent.sequence !== null && sent.sequence > deliveredUpTo && sent.sequence <= lastSequence;
}

/** The server drops a second message with the first id. A later publication is a new message; delivery drops it. */
export const messageId = (eventId: string, times: number): string =>
  times === 1 ? eventId : `${eventId}:${times}`;

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
