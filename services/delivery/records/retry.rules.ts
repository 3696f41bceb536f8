/** When a failed attempt is retried, and when it was the last. */

const SECOND_MS = 1_000;
const JITTER_SHARE = 0.1;
const MAX_JITTER_MS = 15 * 60 * SECOND_MS;

/** The wait after the given number of failed attempts; null after the last. Random (0 to 1) spreads deliveries that failed together. */
export function retryDelayMs(schedule: readonly number[], failed: number, random: number): number | null {
  const seconds = schedule[failed];
  if (seconds === undefined) return null;
  const waitMs = seconds * SECOND_MS;
  return Math.round(waitMs + random * Math.min(waitMs * JITTER_SHARE, MAX_JITTER_MS));
}

/** The wait before the first attempt: none by default. */
export const firstDelayMs = (schedule: readonly number[]): number => (schedule[0] ?? 0) * SECOND_MS;

export type Next = { status: "Delivered" | "Exhausted" } | { status: "Pending"; nextAttemptAt: number };

type Finished = {
  ok: boolean;
  attemptNo: number;
  /** When the request ended. */
  finishedAt: number;
  /** The receiver asked for no request before this. */
  pausedUntil: number | null;
};

export function afterAttempt(
  { ok, attemptNo, finishedAt, pausedUntil }: Finished,
  schedule: readonly number[],
  random: number,
): Next {
  if (ok) return { status: "Delivered" };
  const delay = retryDelayMs(schedule, attemptNo, random);
  if (delay === null) return { status: "Exhausted" };
  return { status: "Pending", nextAttemptAt: Math.max(finishedAt + delay, pausedUntil ?? 0) };
}
