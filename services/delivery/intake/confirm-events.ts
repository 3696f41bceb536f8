/** Confirmations to the sources of events: gathered per source while one is under way, tried a few times, then left. */
import { type Batcher, createBatcher } from "../../../shared/batcher.ts";
import { retry } from "../../../shared/retry.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { NewEvent } from "../records/event.rules.ts";

export type Confirmed = Pick<NewEvent, "_id" | "partnerId">;

export type Confirmer = {
  add(source: string, events: readonly Confirmed[]): void;
  /** Waits for what is under way; what still fails is left to the reconciler of the source. */
  stop(): Promise<void>;
};

type Deps = {
  /** Calls the action <source>.confirmEvents. */
  confirm(source: string, events: readonly Confirmed[]): Promise<void>;
  logger: Logger;
  firstWaitMs?: number;
};

const MAX_PER_CALL = 500;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;
const MAX_TRIES = 6;
/** Beyond this a source is away for long, and its reconciler asks for the confirmations again. */
const QUEUE = { maxWaiting: 20_000, maxWaitMs: 60_000, refusal: () => new Error("too many confirmations") };

export function createConfirmer({ confirm, logger, firstWaitMs = FIRST_WAIT_MS }: Deps): Confirmer {
  const stopping = new AbortController();
  const batchers = new Map<string, Batcher<readonly Confirmed[], void>>();

  const newBatcher = (source: string) =>
    createBatcher<readonly Confirmed[], void>({
      async run(lists) {
        const events = lists.flat();
        await retry(() => confirm(source, events), {
          firstWaitMs,
          maxWaitMs: MAX_WAIT_MS,
          maxTries: MAX_TRIES,
          signal: stopping.signal,
        }).catch((err) => logger.warn({ err, source, events: events.length }, "events.not_confirmed"));
        return lists.map(() => undefined);
      },
      maxBatch: MAX_PER_CALL,
      maxInFlight: 1,
      weightOf: (events) => events.length,
      maxWeight: MAX_PER_CALL,
      queue: QUEUE,
    });

  return {
    add(source, events) {
      const batcher = batchers.get(source) ?? newBatcher(source);
      batchers.set(source, batcher);
      for (let at = 0; at < events.length; at += MAX_PER_CALL)
        batcher.add(events.slice(at, at + MAX_PER_CALL)).catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...batchers.values()].map((batcher) => batcher.drain()));
    },
  };
}
