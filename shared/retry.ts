/** Retries an operation with waits that double up to a bound, until it succeeds or may not be retried. */
// The default import, because fake timers of tests replace the methods of the module.
import timers from "node:timers/promises";
import { backoffMs } from "./backoff.rules.ts";

export type RetryOptions = {
  firstWaitMs: number;
  /** Waits double up to this; without it all waits are equal. */
  maxWaitMs?: number;
  /** Whether the error is transient; without it every error is. */
  isPassing?(error: unknown): boolean;
  /** Attempts in total; unbounded without it. */
  maxTries?: number;
  /** No try begins later than this after the first one. */
  withinMs?: number;
  /** Ends the wait; the last error is thrown. */
  signal?: AbortSignal;
  /** Called before each wait. */
  onFault?(error: unknown): void;
};

/** The operation is passed what is left of `withinMs`. */
export async function retry<T>(work: (leftMs: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { firstWaitMs, maxWaitMs = firstWaitMs, maxTries = Number.POSITIVE_INFINITY, signal } = options;
  const { isPassing = () => true, withinMs = Number.POSITIVE_INFINITY, onFault } = options;
  const startedAt = performance.now();
  const leftMs = () => withinMs - (performance.now() - startedAt);
  for (let tries = 1; ; tries += 1) {
    const waitMs = backoffMs(firstWaitMs, maxWaitMs, tries - 1);
    try {
      return await work(leftMs());
    } catch (error) {
      if (!isPassing(error) || tries >= maxTries || leftMs() <= waitMs || signal?.aborted) throw error;
      onFault?.(error);
      await timers.setTimeout(waitMs, undefined, signal && { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
