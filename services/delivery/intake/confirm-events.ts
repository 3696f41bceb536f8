/** Confirms recorded events to profile, which removes them from its outbox. Confirmations gather while one is in flight. */
import { createBatcher } from "../../../shared/batcher.ts";
import { retry } from "../../../shared/retry.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { NewEvent } from "../records/event.rules.ts";

export type Confirmed = Pick<NewEvent, "_id" | "partnerId">;

type Deps = {
  /** Calls profile.confirmEvents. */
  confirm(events: readonly Confirmed[]): Promise<void>;
  logger: Logger;
};

const MAX_PER_CALL = 500;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;
const MAX_TRIES = 6;
/** Beyond this profile is away for long, and its reconciler asks for the confirmations again. */
const QUEUE = { maxWaiting: 20_000, maxWaitMs: 60_000, refusal: () => new Error("too many confirmations") };

export function createConfirmer({ confirm, logger }: Deps) {
  const stopping = new AbortController();
  const batcher = createBatcher<readonly Confirmed[], void>({
    async run(lists) {
      const events = lists.flat();
      await retry(() => confirm(events), {
        firstWaitMs: FIRST_WAIT_MS,
        maxWaitMs: MAX_WAIT_MS,
        maxTries: MAX_TRIES,
        signal: stopping.signal,
      }).catch((err) => logger.warn({ err, events: events.length }, "events.not_confirmed"));
      return lists.map(() => undefined);
    },
    maxBatch: MAX_PER_CALL,
    maxInFlight: 1,
    weightOf: (events) => events.length,
    maxWeight: MAX_PER_CALL,
    queue: QUEUE,
  });

  return {
    add(events: readonly Confirmed[]): void {
      for (let at = 0; at < events.length; at += MAX_PER_CALL)
        batcher.add(events.slice(at, at + MAX_PER_CALL)).catch(() => undefined);
    },
    /** Waits for the confirmation in flight; the reconciler of profile repeats the others. */
    async stop(): Promise<void> {
      stopping.abort();
      await batcher.drain();
    },
  };
}
