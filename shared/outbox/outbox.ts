/**
 * Transactional outbox: events stay in the document that caused them until delivery confirms that it recorded them.
 * They are published immediately and, if needed, by a sweep. Writers $push entries in the write of the change.
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
import type { Tracer } from "../telemetry/tracer.ts";
import { shapeFault } from "./outbox-entry.rules.ts";
import { createOutboxSender } from "./outbox-sender.ts";
import { type OutboxCollection, outboxStore } from "./outbox-store.ts";
import { createSweep } from "./outbox-sweep.ts";
import { createSetAside } from "./set-aside.ts";

export type Outbox = ReturnType<typeof createOutbox>;

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
/** Longer than JetStream needs for an election. After it the sweep publishes the event, if it is still in its document. */
const SEND_WITHIN_MS = 60_000;

export function createOutbox(deps: Deps) {
  const { collection, source, config, logger, lanes = noLanes, isReporter = () => true } = deps;
  const store = outboxStore(collection);
  const sender = createOutboxSender(deps);
  const setAside = createSetAside({ ...deps, store, consumer: `${source}-outbox` });
  const intervals = { sweepMs: config.outboxSweepMs, reconcileMs: config.outboxReconcileMs };
  const lane = lanes.lane("outbox");
  let stopped = false;
  let sweeping: Promise<number> | null = null;
  const runSweep = createSweep({
    ...deps,
    store,
    sender,
    setAside,
    intervals,
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
    /** Call after the write is committed. Runs in the background; failures and unreadable entries are left to the sweep. */
    publish(given: readonly OutboxEntry[]): void {
      for (const entry of given)
        if (sender.inFlight() < MAX_IN_FLIGHT && shapeFault(entry) === null)
          void sender.send(entry, SEND_WITHIN_MS);
    },
    /** Publishes events that were not sent or not confirmed in time. Resolves to the number published. */
    sweep,
    /** Removes recorded events; resolves to the number of changed documents. Idempotent. */
    async confirm(eventIds: readonly string[], partnerIds?: readonly string[]): Promise<number> {
      if (eventIds.length === 0) return 0;
      const changed = await store.remove(eventIds, partnerIds);
      sender.forget(eventIds);
      return changed;
    },
    start: (): void => sweeps.start(),
    async stop(): Promise<void> {
      stopped = true;
      await sweeps.stop();
      await sweeping?.catch(() => undefined);
      await sender.drain();
    },
  };
}
