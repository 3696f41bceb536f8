/** Pure: when an event in an outbox is published, and under which message id. */

/** What this process knows of an entry it published; sequence is null while the broker has not answered. */
export type Sent = { at: number; sequence: number | null; times: number };

/** How far the stream reaches and how far its consumer has handled it. */
export type Reach = { firstSequence: number; lastSequence: number; handledUpTo: number };

export type Intervals = { sweepMs: number; reconcileMs: number };

/** An event that stays unconfirmed is published ever more rarely, so that a fault elsewhere cannot fill the stream. */
const MOST_DOUBLINGS = 5;

/** publish: never sent by this process. overdue: sent, but nobody confirmed it in time. */
export function verdict(
  occurredAt: number,
  sent: Sent | undefined,
  now: number,
  { sweepMs, reconcileMs }: Intervals,
): "publish" | "overdue" | "wait" {
  if (!sent) {
    const age = now - occurredAt;
    // So young that the process which wrote it is publishing it now.
    return age >= 0 && age < sweepMs ? "wait" : "publish";
  }
  if (sent.sequence === null) return "wait";
  const patience = reconcileMs * 2 ** Math.min(sent.times - 1, MOST_DOUBLINGS);
  return now - sent.at >= patience ? "overdue" : "wait";
}

/** The id under which an overdue event is published again; null while it still waits in the stream for its turn. */
export function overdueMessageId(eventId: string, sequence: number, reach: Reach): string | null {
  const streamWasLost = sequence > reach.lastSequence;
  if (streamWasLost) return eventId;
  // Handled, but the confirmation did not arrive. The server still knows the first id and would drop it.
  const notInStream = sequence < reach.firstSequence;
  return notInStream || sequence <= reach.handledUpTo ? `${eventId}:${sequence}` : null;
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
