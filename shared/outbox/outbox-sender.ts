/** Publishes outbox entries and keeps in memory which were sent, which saves a database write per event. */
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { Config, ServiceName } from "../config/config.ts";
import type { OutboxEntry } from "../contract/events.ts";
import { writeMessage } from "../events/event-message.rules.ts";
import type { JetStream } from "../jetstream/jetstream.ts";
import { eventSubject } from "../jetstream/streams.ts";
import type { Logger } from "../telemetry/logger.ts";
import { noTracer, type Tracer } from "../telemetry/tracer.ts";
import type { Sent } from "./outbox.rules.ts";

export type OutboxSender = {
  /** Sends entries of one partner and type in one message. True when the broker has stored it. Never rejects. */
  send(entries: readonly OutboxEntry[], messageId: string): Promise<boolean>;
  sent(eventId: string): Sent | undefined;
  forget(eventIds: readonly string[]): void;
  /** Entries of this process that the broker did not acknowledge, oldest first. */
  unsent(limit: number): string[];
  hasUnsent(): boolean;
  /** Entries that were not even tried, because the broker is away or too many are in flight. */
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
  let inFlight = 0;
  let failures = 0;

  async function sendNow(entries: readonly OutboxEntry[], messageId: string): Promise<boolean> {
    const at = clock.now();
    for (const { eventId } of entries) {
      unsent.delete(eventId);
      memory.set(eventId, { at, sequence: null, times: (memory.get(eventId)?.times ?? 0) + 1 });
    }
    try {
      const { sequence, duplicate } = await publish(entries, messageId);
      for (const { eventId } of entries) {
        const sent = memory.get(eventId);
        // The confirmation may arrive before the answer to the publish.
        if (sent) Object.assign(sent, { sequence, wasThere: duplicate });
      }
      if (unsent.size > 0) onUnsent();
      return true;
    } catch (err) {
      for (const { eventId } of entries) {
        // A confirmation meanwhile says that the broker had it.
        if (memory.delete(eventId)) unsent.set(eventId, true);
      }
      onUnsent();
      failures += entries.length;
      logger.debug({ err, messageId }, "outbox.publish_failed");
      return false;
    }
  }

  async function publish(entries: readonly OutboxEntry[], messageId: string) {
    const [first] = entries;
    if (!first) throw new Error("A message needs an event.");
    const subject = eventSubject(config.namespace, first.partnerId, first.eventType);
    const startMs = clock.now();
    const travelling = tracer.enabled ? entries.map(ownTrace) : entries;
    const { body, headers } = writeMessage(travelling, source);
    const published = await jetstream.publish(subject, body, { id: messageId, headers });
    if (tracer.enabled)
      for (const [index, entry] of entries.entries())
        traceSent(entry, travelling[index]?.traceparent ?? null, startMs);
    return published;
  }

  const ownTrace = (entry: OutboxEntry): OutboxEntry =>
    entry.traceparent ? { ...entry, traceparent: tracer.below(entry.traceparent) } : entry;

  function traceSent(
    { eventId, eventType, traceparent: parent }: OutboxEntry,
    traceparent: string | null,
    startMs: number,
  ) {
    if (!traceparent) return;
    tracer.record({
      name: `publish ${eventType}`,
      kind: "producer",
      traceparent,
      parent,
      startMs,
      endMs: clock.now(),
      attributes: { "messaging.system": "nats", "messaging.message.id": eventId },
    });
  }

  return {
    send(entries, messageId) {
      inFlight += entries.length;
      const work = sendNow(entries, messageId).finally(() => {
        inFlight -= entries.length;
        underWay.delete(work);
      });
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
    inFlight: () => inFlight,
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
