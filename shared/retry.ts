/** Tries a piece of work again, with waits that double up to a bound, until it succeeds or may not go on. */
import timers from "node:timers/promises";
import { backoffMs } from "./backoff.rules.ts";

export type RetryOptions = {
  firstWaitMs: number;
  /** Waits double up to this; equal waits when left out. */
  maxWaitMs?: number;
  /** Whether another try can help; when left out, always. */
  isPassing?(error: unknown): boolean;
  /** Tries in all; without a bound when left out. */
  maxTries?: number;
  /** No try begins later than this after the first one. */
  withinMs?: number;
  /** Ends the waiting: the last error is thrown. */
  signal?: AbortSignal;
  /** Told before each wait. */
  onFault?(error: unknown): void;
};

/** The work is told how much of `withinMs` is left. */
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
