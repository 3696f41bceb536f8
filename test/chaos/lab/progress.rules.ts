/** Whether work moved, and whether readiness was honest about it: judged from samples taken every second. */

export type Sample = {
  atMs: number;
  /** Until then, by the host (stolen-time.ts). */
  stolenMs: number;
  /** Processes that did not answer 200 on /readyz. */
  notReady: string[];
  /** Work that is due: events in outboxes, deliveries whose time has come, replays. Null: could not be counted. */
  backlog: number | null;
  /** Rises with everything that is done: events recorded, attempts stored. */
  done: number | null;
};

/** Readiness may be behind the truth for this long. */
const HONEST_WITHIN_MS = 10_000;

/**
 * Work stood while every process said that it was ready. Only between the given times: while a receiver is at fault,
 * work stands for a reason that is none of the platform's.
 */
export function dishonestMs(samples: readonly Sample[], isExcused: (atMs: number) => boolean): number {
  let longest = 0;
  let since: Sample | null = null;
  for (const sample of samples) {
    const hasWork = sample.backlog !== null && sample.backlog > 0;
    if (!hasWork || sample.notReady.length > 0 || isExcused(sample.atMs)) since = null;
    else if (since === null || since.done !== sample.done) since = sample;
    else longest = Math.max(longest, sample.atMs - since.atMs - (sample.stolenMs - since.stolenMs));
  }
  return longest;
}

export const stoodWhileReady = (ms: number): string[] =>
  ms > HONEST_WITHIN_MS
    ? [`work stood for ${Math.round(ms / 1_000)} s while every process said it was ready`]
    : [];
