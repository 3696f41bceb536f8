/** Publishes outbox entries and remembers for a while which, so that nothing is written per event. */
import type { Clock } from "./clock.ts";
import type { Config, ServiceName } from "./config.ts";
import type { JetStream } from "./jetstream.ts";
import type { Logger } from "./logger.ts";
import type { Sent } from "./outbox.rules.ts";
import type { OutboxEntry } from "./outbox.ts";
import { eventSubject } from "./streams.ts";
import { noTracer, type Tracer } from "./tracer.ts";

export const SOURCE_HEADER = "Pbo-Source";
export const TRACE_HEADER = "traceparent";

export type OutboxSender = {
  /** True when the broker has stored it. Never rejects. */
  send(entry: OutboxEntry, messageId: string): Promise<boolean>;
  sent(eventId: string): Sent | undefined;
  forget(eventIds: readonly string[]): void;
  inFlight(): number;
  /** Failures since the last time this was asked. */
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
};

/** Forgetting one costs a repeated message that the server drops. */
const MOST_REMEMBERED = 100_000;

export function createOutboxSender({
  source,
  jetstream,
  clock,
  config,
  logger,
  tracer = noTracer,
}: Deps): OutboxSender {
  const memory = new Map<string, Sent>();
  const underWay = new Set<Promise<boolean>>();
  let failures = 0;

  async function sendNow(entry: OutboxEntry, messageId: string): Promise<boolean> {
    const state = { at: clock.now(), times: (memory.get(entry.eventId)?.times ?? 0) + 1 };
    remember(entry.eventId, { ...state, sequence: null });
    try {
      const subject = eventSubject(config.namespace, entry.partnerId, entry.eventType);
      const traceparent = entry.traceparent && tracer.below(entry.traceparent);
      const trace = traceparent ? { [TRACE_HEADER]: traceparent } : {};
      const headers = { [SOURCE_HEADER]: source, ...trace };
      const { sequence } = await jetstream.publish(subject, entry.body, { id: messageId, headers });
      if (traceparent && tracer.enabled) traceSent(entry, traceparent, state.at);
      // A confirmation can be faster than the answer to the publish.
      if (memory.has(entry.eventId)) remember(entry.eventId, { ...state, sequence });
      return true;
    } catch (err) {
      memory.delete(entry.eventId);
      failures += 1;
      logger.debug({ err, eventId: entry.eventId }, "outbox.publish_failed");
      return false;
    }
  }

  function traceSent(
    { eventId, eventType, traceparent: parent }: OutboxEntry,
    traceparent: string,
    startMs: number,
  ) {
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

  function remember(eventId: string, state: Sent) {
    memory.delete(eventId);
    memory.set(eventId, state);
    if (memory.size <= MOST_REMEMBERED) return;
    const [oldest] = memory.keys();
    if (oldest !== undefined) memory.delete(oldest);
  }

  return {
    send(entry, messageId) {
      const work = sendNow(entry, messageId).finally(() => underWay.delete(work));
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
      await Promise.allSettled(underWay);
    },
  };
}
