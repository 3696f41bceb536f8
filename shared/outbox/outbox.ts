/**
 * Transactional outbox: events stay in the document that caused them until the delivery service confirms that it
 * recorded them. They are published immediately, and again by a sweep if that failed or no confirmation came.
 * Writers add entries with $push in the same write as the change, and never set the whole array.
 */
import type { Clock } from "../clock.ts";
import type { Config, ServiceName } from "../config/config.ts";
import type { OutboxEntry } from "../contract/events.ts";
import type { DeadLetters } from "../jetstream/dead-letters.ts";
import type { JetStream } from "../jetstream/jetstream.ts";
import { freeLane, type Lanes, noLanes } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { noTracer, type Tracer } from "../telemetry/tracer.ts";
import { shapeFault } from "./outbox-entry.rules.ts";
import { createOutboxSender } from "./outbox-sender.ts";
import { type OutboxCollection, outboxStore } from "./outbox-store.ts";
import { createSweep } from "./outbox-sweep.ts";
import { createSetAside } from "./set-aside.ts";

export type Outbox = {
  /** Call after the write is committed. Runs in the background; failures and unreadable entries are left to the sweep. */
  publish(entries: readonly OutboxEntry[]): void;
  /** Publishes events that were not sent or not confirmed in time. Resolves to the number published. */
  sweep(): Promise<number>;
  /** Removes recorded events; resolves to the number of changed documents. Idempotent. */
  confirm(eventIds: readonly string[], partnerIds?: readonly string[]): Promise<number>;
  start(): void;
  stop(): Promise<void>;
};

type Deps = {
  collection: OutboxCollection;
  /** The service whose outbox it is; dead letters name it. */
  source: ServiceName;
  jetstream: Pick<JetStream, "publish" | "numbers" | "connected">;
  deadLetters: Pick<DeadLetters, "keep">;
  clock: Clock;
  config: Pick<Config, "namespace" | "outboxSweepMs" | "outboxReconcileMs">;
  logger: Logger;
  metrics: Metrics;
  lanes?: Pick<Lanes, "lane">;
  tracer?: Tracer;
  /** Whether this process reports the gauges of the whole outbox. */
  isReporter?(): boolean;
};

const MAX_IN_FLIGHT = 5_000;
/** After that the sweep publishes the event, if it is still in its document. */
const SEND_WITHIN_MS = 10_000;

export function createOutbox({
  collection,
  source,
  jetstream,
  deadLetters,
  clock,
  config,
  logger,
  metrics,
  lanes = noLanes,
  tracer = noTracer,
  isReporter = () => true,
}: Deps): Outbox {
  const store = outboxStore(collection);
  const sender = createOutboxSender({ jetstream, clock, config, logger, tracer });
  const setAside = createSetAside({ store, deadLetters, consumer: `${source}-outbox`, logger, metrics });
  const intervals = { sweepMs: config.outboxSweepMs, reconcileMs: config.outboxReconcileMs };
  const lane = lanes.lane("outbox");
  let stopped = false;
  let sweeping: Promise<number> | null = null;
  const runSweep = createSweep({
    store,
    sender,
    setAside,
    jetstream,
    clock,
    intervals,
    metrics,
    isReporter,
    stopped: () => stopped,
  });

  function sweep(): Promise<number> {
    sweeping ??= lane(runSweep).finally(() => {
      sweeping = null;
    });
    return sweeping;
  }

  const sweeps = createPollLoop({
    lane: freeLane,
    everyMs: config.outboxSweepMs,
    async round() {
      try {
        const published = await sweep();
        if (published > 0) logger.info({ published }, "outbox.swept");
      } finally {
        const failures = sender.takeFailures();
        if (failures > 0) logger.warn({ failures }, "outbox.publish_failed");
      }
    },
    onError: (err) => logger.warn({ err }, "outbox.sweep_failed"),
  });

  return {
    publish(given) {
      for (const entry of given)
        if (sender.inFlight() < MAX_IN_FLIGHT && shapeFault(entry) === null)
          void sender.send(entry, SEND_WITHIN_MS);
    },
    sweep,
    async confirm(eventIds, partnerIds) {
      if (eventIds.length === 0) return 0;
      const changed = await store.remove(eventIds, partnerIds);
      sender.forget(eventIds);
      return changed;
    },
    start: () => sweeps.start(),
    async stop() {
      stopped = true;
      await sweeps.stop();
      await sweeping?.catch(() => undefined);
      await sender.drain();
    },
  };
}
