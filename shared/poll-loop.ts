/** Runs a task repeatedly with a pause in between: never two in parallel, can be woken, a stop waits for the current run. */
import type { Lane } from "./lanes.ts";

export type PollLoop = ReturnType<typeof createPollLoop>;

type Options = {
  /** Resolves to true when there may be more to do right away. */
  round(isStopping: () => boolean): Promise<unknown>;
  everyMs: number | (() => number);
  /** Pause after a round that found work, or during which it was woken. */
  busyPauseMs?(): number;
  onError(error: unknown): void;
  /** Abandons a round that does not end; `freeLane` for one that ends by its own deadline. */
  lane: Lane;
};

/** Gives the work of one round time to take effect before the next one looks. */
const BUSY_PAUSE_MS = 50;

export function createPollLoop({
  round,
  everyMs,
  busyPauseMs = () => BUSY_PAUSE_MS,
  onError,
  lane,
}: Options) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let nextAt = Number.POSITIVE_INFINITY;
  let wakeAt = Number.POSITIVE_INFINITY;
  let isStopped = true;
  const usualPauseMs = () => (typeof everyMs === "number" ? everyMs : everyMs());

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    nextAt = performance.now() + afterMs;
    if (!isStopped) timer = setTimeout(run, afterMs);
  }

  function run(): void {
    clearTimeout(timer);
    wakeAt = Number.POSITIVE_INFINITY;
    running ??= runOnce().finally(() => {
      running = null;
    });
  }

  async function runOnce(): Promise<void> {
    const startedAt = performance.now();
    let pauseMs = usualPauseMs();
    try {
      const hasMore = (await lane(() => round(() => isStopped))) === true;
      // An expensive round runs less often; one that failed late is not a reason to come back later still.
      pauseMs = hasMore ? busyPauseMs() : Math.max(usualPauseMs(), 2 * (performance.now() - startedAt));
    } catch (error) {
      onError(error);
    }
    schedule(Math.min(pauseMs, Math.max(busyPauseMs(), wakeAt - performance.now())));
  }

  return {
    /** The first round runs immediately, or after this delay. */
    start(afterMs = 0): void {
      isStopped = false;
      schedule(afterMs);
    },
    /** Runs a round now, or soon after the current one; with a time, no later than after that. */
    wake(withinMs = 0): void {
      if (isStopped) return;
      const at = performance.now() + withinMs;
      if (running) wakeAt = Math.min(wakeAt, at);
      else if (withinMs <= 0) run();
      else if (at < nextAt) schedule(withinMs);
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
