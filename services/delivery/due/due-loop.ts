/** Runs a round again and again: soon after one that found work, otherwise after the poll interval. Never two at once. */
import type { Logger } from "../../../shared/telemetry/logger.ts";

export type DueLoop = {
  start(): void;
  /** There is something due now. */
  kick(): void;
  stop(): Promise<void>;
};

type Deps = {
  /** Answers whether there may be more to do at once. */
  round(): Promise<boolean>;
  pollMs: number;
  /** After a round that found work. */
  pauseMs?(): number;
  logger: Logger;
};

/** The work of one round takes about this long to reach the queues, whose room the next one asks. */
const BUSY_PAUSE_MS = 50;

export function createDueLoop({ round, pollMs, pauseMs = () => BUSY_PAUSE_MS, logger }: Deps): DueLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let kicked = false;
  let stopped = true;

  function plan(afterMs: number) {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, afterMs);
  }

  function run() {
    clearTimeout(timer);
    kicked = false;
    running ??= runOnce().finally(() => {
      running = null;
    });
  }

  async function runOnce(): Promise<void> {
    const startedAt = performance.now();
    let isBusy = false;
    try {
      isBusy = await round();
    } catch (err) {
      logger.warn({ err }, "due.round_failed");
    }
    // A round that is dear (very many queues) is made more seldom.
    const tookMs = performance.now() - startedAt;
    plan(isBusy || kicked ? pauseMs() : Math.max(pollMs, 2 * tookMs));
  }

  return {
    start() {
      stopped = false;
      plan(0);
    },
    kick() {
      if (stopped) return;
      if (running) kicked = true;
      else run();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
