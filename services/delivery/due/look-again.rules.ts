/** How soon to look again at what waits. */

type Situation = { nextInMs: number; pollMs: number; isUntold: boolean };

/** Delay after the loss of another process's hint. */
const TOLD_MS = 10_000;

/** Beside others it is only looked when something is due: whoever adds something says so. So many cost no more than one. */
export function lookAgainMs({ nextInMs, pollMs, isUntold }: Situation): number {
  const longestMs = isUntold ? pollMs : Math.max(pollMs, TOLD_MS);
  return Math.min(longestMs, Math.max(pollMs, nextInMs));
}
