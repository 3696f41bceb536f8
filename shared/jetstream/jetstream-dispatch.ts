/** Passes messages to a handler in batches, a bounded number in parallel, and acknowledges each message. */
import { backoffMs } from "../backoff.rules.ts";
import { retry } from "../retry.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { StreamMessage } from "./jetstream-message.ts";

export type BatchHandler = (batch: readonly StreamMessage[]) => Promise<void>;

export type DispatchOptions = {
  maxBatch: number;
  parallelBatches: number;
  /** Stores a message that cannot be handled; then it is never redelivered. */
  onPoison(message: StreamMessage, error: unknown): Promise<void>;
};

type Deps = DispatchOptions & {
  consumer: string;
  ackWaitMs: number;
  handler: BatchHandler;
  /** True for a fault on our side (database or broker away), not of the message. */
  isPassing(error: unknown): boolean;
  onRoom(): void;
  logger: Logger;
  metrics: Metrics;
};

/** After more deliveries a message is handled alone, so that it cannot fail others. */
const ALONE_AFTER = 5;
/** A message that still fails alone after more deliveries is poison. */
const POISON_AFTER = 10;
/** After more deliveries it is not tried again: it may be what kills the process. */
const HOPELESS_AFTER = 20;

const NAK_FIRST_MS = 500;
const NAK_MAX_MS = 30_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 2_000;
/** How long a batch is retried through a fault on our side before it is returned. */
const KEEP_MS = 60_000;
/** A message is extended in its second round, in half of its wait; one extension may be lost or late. */
const ROUNDS_PER_WAIT = 4;
/** Messages of a handler that hangs longer go to another process. */
const EXTEND_MS = 5 * 60_000;

export const nakDelayMs = (deliveryCount: number): number =>
  backoffMs(NAK_FIRST_MS, NAK_MAX_MS, deliveryCount - 1);

/** The next batch; a suspect message comes alone. */
export function takeBatch(waiting: StreamMessage[], maxBatch: number): StreamMessage[] {
  const suspect = waiting.slice(0, maxBatch).findIndex((message) => message.deliveryCount > ALONE_AFTER);
  if (suspect === -1) return waiting.splice(0, maxBatch);
  return waiting.splice(0, Math.max(1, suspect));
}

export function createDispatcher(deps: Deps) {
  const { handler, isPassing, logger, consumer } = deps;
  const waiting: StreamMessage[] = [];
  const heldSince = new Map<StreamMessage, number>();
  const running = new Set<Promise<void>>();
  let scheduled = false;
  const stopping = new AbortController();
  const roundMs = deps.ackWaitMs / ROUNDS_PER_WAIT;
  const keepAlive = setInterval(() => {
    for (const [message, since] of heldSince) {
      const heldMs = Date.now() - since;
      // Most messages are settled before their second round.
      if (heldMs > roundMs && heldMs < EXTEND_MS) message.working();
    }
  }, roundMs).unref();

  /** Batches what arrives within one turn of the event loop. */
  function schedule() {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      dispatch();
    });
  }

  function dispatch() {
    while (waiting.length > 0 && running.size < deps.parallelBatches && !stopping.signal.aborted) {
      const batch = takeBatch(waiting, deps.maxBatch);
      const work = handle(batch).finally(() => {
        running.delete(work);
        for (const message of batch) heldSince.delete(message);
        dispatch();
        deps.onRoom();
      });
      running.add(work);
    }
  }

  async function handle(batch: StreamMessage[]): Promise<void> {
    const [first] = batch;
    if (first && first.deliveryCount > HOPELESS_AFTER)
      return giveUp(first, new Error(`delivered ${first.deliveryCount} times`));
    try {
      await handleThroughFaults(batch);
      for (const message of batch) message.ack();
    } catch (error) {
      await settleFailed(batch, error);
    }
  }

  const handleThroughFaults = (batch: StreamMessage[]): Promise<void> =>
    retry(
      async () => {
        const open = batch.filter((message) => !message.settled());
        if (open.length > 0) await handler(open);
      },
      {
        firstWaitMs: RETRY_FIRST_MS,
        maxWaitMs: RETRY_MAX_MS,
        withinMs: KEEP_MS,
        isPassing,
        signal: stopping.signal,
        onFault: (err) => logger.warn({ err, consumer, messages: batch.length }, "consume.waiting"),
      },
    );

  async function settleFailed(batch: StreamMessage[], error: unknown): Promise<void> {
    const [first] = batch;
    logger.error(
      { err: error, consumer, messages: batch.length, sequence: first?.sequence },
      "consume.failed",
    );
    const alone = batch.length === 1 && first !== undefined && first.deliveryCount > POISON_AFTER;
    if (alone && !first.settled() && !isPassing(error)) return giveUp(first, error);
    for (const message of batch) message.nak(nakDelayMs(message.deliveryCount));
  }

  async function giveUp(message: StreamMessage, error: unknown): Promise<void> {
    try {
      await deps.onPoison(message, error);
      message.term();
      deps.metrics.increment("pbo_dead_letters_total", { consumer });
      logger.error({ err: error, consumer, sequence: message.sequence }, "consume.poison");
    } catch (err) {
      logger.error({ err, consumer, sequence: message.sequence }, "consume.poison_not_stored");
      message.nak(NAK_MAX_MS);
    }
  }

  return {
    accept(message: StreamMessage) {
      if (stopping.signal.aborted) return message.nak();
      waiting.push(message);
      heldSince.set(message, Date.now());
      schedule();
    },
    held: (): number => heldSince.size,
    /** Finishes running batches and returns the rest to the server. */
    async stop(): Promise<void> {
      stopping.abort();
      for (const message of waiting.splice(0)) {
        heldSince.delete(message);
        message.nak();
      }
      await Promise.allSettled(running);
      clearInterval(keepAlive);
    },
  };
}
