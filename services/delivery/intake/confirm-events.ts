/** Confirmations to the sources of events: gathered while one is under way, repeated a few times, then left. */
import { setTimeout } from "node:timers/promises";
import type { Logger } from "../../../shared/telemetry/logger.ts";

export type Confirmer = {
  add(source: string, eventIds: readonly string[]): void;
  /** Waits for what is under way; what still fails is left to the reconciler of the source. */
  stop(): Promise<void>;
};

type Ports = {
  /** Calls the action <source>.confirmEvents. */
  confirm(source: string, eventIds: readonly string[]): Promise<void>;
  logger: Logger;
  retryDelaysMs?: readonly number[];
};

const MOST_PER_CALL = 500;
/** Beyond this a source is away for long, and its reconciler asks for the confirmations again. */
const MOST_WAITING = 20_000;
const RETRY_DELAYS_MS = [250, 1_000, 5_000] as const;

export function createConfirmer({ confirm, logger, retryDelaysMs = RETRY_DELAYS_MS }: Ports): Confirmer {
  const waiting = new Map<string, string[]>();
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  async function run(source: string): Promise<void> {
    const ids = waiting.get(source) ?? [];
    while (ids.length > 0) await confirmOrLeave(source, ids.splice(0, MOST_PER_CALL));
    running.delete(source);
  }

  async function confirmOrLeave(source: string, eventIds: string[]): Promise<void> {
    for (const delayMs of [...retryDelaysMs, null]) {
      try {
        return await confirm(source, eventIds);
      } catch (err) {
        if (delayMs === null || stopping.signal.aborted) {
          logger.warn({ err, source, events: eventIds.length }, "events.not_confirmed");
          return;
        }
        await setTimeout(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  return {
    add(source, eventIds) {
      if (eventIds.length === 0) return;
      const ids = waiting.get(source) ?? [];
      waiting.set(source, ids);
      if (ids.length < MOST_WAITING) ids.push(...eventIds);
      if (!running.has(source)) running.set(source, run(source));
    },
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
