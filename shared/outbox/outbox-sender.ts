/** Publishes outbox entries and keeps in memory which were sent, which saves a database write per event. */
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { OutboxEntry } from "../contract/events.ts";
import type { JetStream } from "../jetstream/jetstream.ts";
import { eventSubject } from "../jetstream/streams.ts";
import { retry } from "../retry.ts";
import type { Logger } from "../telemetry/logger.ts";
import { noTracer, type Tracer } from "../telemetry/tracer.ts";
import { messageId, type Sent } from "./outbox.rules.ts";

export type OutboxSender = {
  /** True when the broker has stored the event. Tries again for this long. Never rejects. */
  send(entry: OutboxEntry, withinMs?: number): Promise<boolean>;
  sent(eventId: string): Sent | undefined;
  forget(eventIds: readonly string[]): void;
  /** Entries sent and not yet answered. */
  inFlight(): number;
  /** Failed tries since the last call. */
  takeFailures(): number;
  drain(): Promise<void>;
};

type Deps = {
  jetstream: Pick<JetStream, "publish">;
  clock: Clock;
  config: Pick<Config, "namespace">;
  logger: Logger;
  tracer?: Tracer;
};

/** A forgotten entry is published again at worst, and the server drops the duplicate. */
const MAX_REMEMBERED = 100_000;
const RETRIES = { firstWaitMs: 250, maxWaitMs: 2_000 };

export function createOutboxSender({
  jetstream,
  clock,
  config,
  logger,
  tracer = noTracer,
}: Deps): OutboxSender {
  const memory = new BoundedMap<string, Sent>(MAX_REMEMBERED);
  const underWay = new Set<Promise<boolean>>();
  const stopping = new AbortController();
  let failures = 0;

  async function sendNow(entry: OutboxEntry, withinMs: number): Promise<boolean> {
    const { eventId } = entry;
    const times = (memory.get(eventId)?.times ?? 0) + 1;
    memory.set(eventId, { at: clock.now(), sequence: null, times });
    const options = { ...RETRIES, withinMs, signal: stopping.signal };
    try {
      // Confirmed meanwhile: the broker had it.
      const publishUnlessConfirmed = async () =>
        memory.has(eventId) ? publish(entry, messageId(eventId, times)) : null;
      const published = await retry(publishUnlessConfirmed, options);
      if (published && memory.has(eventId))
        memory.set(eventId, { at: clock.now(), sequence: published.sequence, times });
      return true;
    } catch {
      memory.delete(eventId);
      return false;
    }
  }

  async function publish(entry: OutboxEntry, id: string) {
    const { eventId, eventType, partnerId, traceparent: parent, body } = entry;
    const subject = eventSubject(config.namespace, partnerId, eventType);
    const startMs = clock.now();
    const traceparent = parent && tracer.below(parent);
    const headers: Record<string, string> = traceparent ? { traceparent } : {};
    const published = await jetstream.publish(subject, body, { id, headers }).catch((err) => {
      failures += 1;
      logger.debug({ err, eventId }, "outbox.publish_failed");
      throw err;
    });
    if (tracer.enabled && traceparent)
      tracer.record({
        name: `publish ${eventType}`,
        kind: "producer",
        traceparent,
        parent,
        startMs,
        endMs: clock.now(),
        attributes: { "messaging.system": "nats", "messaging.message.id": eventId },
      });
    return published;
  }

  return {
    send(entry, withinMs = 0) {
      const work = sendNow(entry, withinMs).finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    sent: (eventId) => memory.get(eventId),
    forget(eventIds) {
      for (const eventId of eventIds) memory.delete(eventId);
    },
    inFlight: () => underWay.size,
    takeFailures() {
      const count = failures;
      failures = 0;
      return count;
    },
    async drain() {
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}
