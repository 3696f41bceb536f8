/** The pause of the due loop between two polls. */

type Situation = { nextInMs: number; pollMs: number; mustPoll: boolean };

/** A lost hint of another process delays a delivery by this. */
const LOST_HINT_MS = 10_000;

/** With several processes, poll only when something is due: writers send hints, so N processes cost as much as one. */
export function pollPauseMs({ nextInMs, pollMs, mustPoll }: Situation): number {
  const longestMs = mustPoll ? pollMs : Math.max(pollMs, LOST_HINT_MS);
  return Math.min(longestMs, Math.max(pollMs, nextInMs));
}
