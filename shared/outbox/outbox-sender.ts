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
import { createPackedPublish } from "./event-message.ts";
import { messageId, type Sent } from "./outbox.rules.ts";

export type OutboxSender = ReturnType<typeof createOutboxSender>;

type Deps = {
  jetstream: Pick<JetStream, "publish">;
  clock: Clock;
  config: Pick<Config, "namespace">;
  logger: Logger;
  tracer?: Tracer;
};

/** A forgotten entry is published again at worst, and the server drops the duplicate. */
const MAX_REMEMBERED = 100_000;
const RETRIES = { firstWaitMs: 250, maxWaitMs: 1_000 };

export function createOutboxSender({ jetstream, clock, config, logger, tracer = noTracer }: Deps) {
  const memory = new BoundedMap<string, Sent>(MAX_REMEMBERED);
  const underWay = new Set<Promise<boolean>>();
  const stopping = new AbortController();
  const publishPacked = createPackedPublish(jetstream);
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
    const published = await publishPacked(subject, { id, body, traceparent }).catch((err) => {
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
    /** True when the broker has stored the event. Tries again for this long. Never rejects. */
    send(entry: OutboxEntry, withinMs = 0): Promise<boolean> {
      const work = sendNow(entry, withinMs).finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    sent: (eventId: string): Sent | undefined => memory.get(eventId),
    forget(eventIds: readonly string[]): void {
      for (const eventId of eventIds) memory.delete(eventId);
    },
    inFlight: (): number => underWay.size,
    /** Failed tries since the last call. */
    takeFailures(): number {
      const count = failures;
      failures = 0;
      return count;
    },
    async drain(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}
