/** Publishes outbox entries and keeps in memory which were sent, which saves a database write per event. */
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { Config, ServiceName } from "../config/config.ts";
import type { OutboxEntry } from "../contract/events.ts";
import { eventHeaders } from "../events/event-message.rules.ts";
import type { JetStream } from "../jetstream/jetstream.ts";
import { eventSubject } from "../jetstream/streams.ts";
import type { Logger } from "../telemetry/logger.ts";
import { noTracer, type Tracer } from "../telemetry/tracer.ts";
import { messageId, type Sent } from "./outbox.rules.ts";

export type OutboxSender = {
  /** True when the broker has stored the event. Never rejects. */
  send(entry: OutboxEntry): Promise<boolean>;
  sent(eventId: string): Sent | undefined;
  forget(eventIds: readonly string[]): void;
  /** Entries of this process that the broker did not acknowledge, oldest first. */
  unsent(limit: number): string[];
  hasUnsent(): boolean;
  /** Remembers entries as unsent that were not tried: the broker is away, or too many are in flight. */
  leave(entries: readonly OutboxEntry[]): void;
  /** Entries sent and not yet answered. */
  inFlight(): number;
  /** Failures since the last call. */
  takeFailures(): number;
  drain(): Promise<void>;
};

type Deps = {
  source: ServiceName;
  jetstream: Pick<JetStream, "publish">;
  clock: Clock;
  config: Pick<Config, "namespace">;
  logger: Logger;
  tracer?: Tracer;
  /** A publish failed, or the broker answered again while something is unsent. */
  onUnsent?(): void;
};

/** A forgotten entry is published again at worst, and the server drops the duplicate. */
const MAX_REMEMBERED = 100_000;

export function createOutboxSender({
  source,
  jetstream,
  clock,
  config,
  logger,
  tracer = noTracer,
  onUnsent = () => undefined,
}: Deps): OutboxSender {
  const memory = new BoundedMap<string, Sent>(MAX_REMEMBERED);
  const unsent = new BoundedMap<string, true>(MAX_REMEMBERED);
  const underWay = new Set<Promise<boolean>>();
  let failures = 0;

  async function sendNow(entry: OutboxEntry): Promise<boolean> {
    const { eventId } = entry;
    unsent.delete(eventId);
    const times = (memory.get(eventId)?.times ?? 0) + 1;
    memory.set(eventId, { at: clock.now(), sequence: null, times });
    try {
      const { sequence } = await publish(entry, messageId(eventId, times));
      const sent = memory.get(eventId);
      // The confirmation may arrive before the answer to the publish.
      if (sent) sent.sequence = sequence;
      if (unsent.size > 0) onUnsent();
      return true;
    } catch (err) {
      // A confirmation meanwhile says that the broker had it.
      if (memory.delete(eventId)) unsent.set(eventId, true);
      onUnsent();
      failures += 1;
      logger.debug({ err, eventId }, "outbox.publish_failed");
      return false;
    }
  }

  async function publish(entry: OutboxEntry, id: string) {
    const { eventId, eventType, partnerId, traceparent: parent, body } = entry;
    const subject = eventSubject(config.namespace, partnerId, eventType);
    const startMs = clock.now();
    const traceparent = parent && tracer.below(parent);
    const headers = eventHeaders(source, traceparent);
    const published = await jetstream.publish(subject, body, { id, headers });
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
    send(entry) {
      const work = sendNow(entry).finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    sent: (eventId) => memory.get(eventId),
    forget(eventIds) {
      for (const eventId of eventIds) {
        memory.delete(eventId);
        unsent.delete(eventId);
      }
    },
    unsent(limit) {
      const eventIds: string[] = [];
      for (const eventId of unsent.keys()) {
        if (eventIds.length === limit) break;
        eventIds.push(eventId);
      }
      return eventIds;
    },
    hasUnsent: () => unsent.size > 0,
    leave(entries) {
      for (const { eventId } of entries) unsent.set(eventId, true);
    },
    inFlight: () => underWay.size,
    takeFailures() {
      const count = failures;
      failures = 0;
      return count;
    },
    async drain() {
      await Promise.allSettled(underWay);
    },
  };
}
