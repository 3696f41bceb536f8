/** Takes events from JetStream: records and schedules them, acknowledges, then confirms them to their source. */
import type { Clock } from "../../../shared/clock.ts";
import type { DeadLetters } from "../../../shared/jetstream/dead-letters.ts";
import type {
  BatchHandler,
  Consumption,
  JetStream,
  StreamMessage,
} from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, type ConsumerSpec } from "../../../shared/jetstream/streams.ts";
import { readLines } from "../../../shared/outbox/event-message.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import type { Tracer } from "../../../shared/telemetry/tracer.ts";
import { type NewEvent, parseEvent } from "../records/event.rules.ts";
import { type Confirmed, createConfirmer } from "./confirm-events.ts";

export type ConsumeEventsDeps = {
  jetstream: Pick<JetStream, "consume">;
  /** Records the events with their deliveries and answers how many were new. */
  schedule(events: readonly NewEvent[]): Promise<{ recorded: number }>;
  deadLetters: Pick<DeadLetters, "keep">;
  confirm(events: readonly Confirmed[]): Promise<void>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  tracer: Tracer;
  spec?: ConsumerSpec;
};

/** A single batch at a time, while the next gathers: a write of 200 events costs little more than one of 20. */
const PARALLEL_BATCHES = 1;
const MAX_BATCH = 400;

export function consumeEvents({ spec = CONSUMERS.deliveryRecord, ...deps }: ConsumeEventsDeps): Consumption {
  const { jetstream, schedule, deadLetters, clock, logger, metrics, tracer } = deps;
  const confirmer = createConfirmer({ confirm: deps.confirm, logger });
  const count = (result: string, by: number) =>
    metrics.increment("pbo_events_consumed_total", { result }, by);

  /** Record, acknowledge, confirm: in this order, so that a crash only makes a step repeat. */
  const handle: BatchHandler = async (batch) => {
    const startMs = clock.now();
    const events: NewEvent[] = [];
    for (const message of batch) {
      const malformed: string[] = [];
      for (const { body, traceparent } of readLines(message)) {
        const parsed = parseEvent(body, traceparent, new Date(startMs));
        if ("event" in parsed) events.push(parsed.event);
        else malformed.push(parsed.malformed);
      }
      // The other lines of such a message are recorded.
      if (malformed[0]) await keepMalformed(message, malformed[0], malformed.length);
    }
    const { recorded } = await schedule(events);
    for (const message of batch) message.ack();
    if (tracer.enabled) for (const event of events) trace(event, startMs);
    confirmer.add(events);
    count("recorded", recorded);
    count("duplicate", events.length - recorded);
  };

  async function keepMalformed(message: StreamMessage, reason: string, lines: number): Promise<void> {
    logger.error({ subject: message.subject, sequence: message.sequence, reason }, "event.malformed");
    metrics.increment("pbo_dead_letters_total", { consumer: spec.name });
    await deadLetters.keep(spec.name, message, reason);
    count("malformed", lines);
  }

  function trace({ _id, eventType, traceparent: parent }: NewEvent, startMs: number): void {
    if (!parent) return;
    tracer.record({
      name: `record ${eventType}`,
      kind: "consumer",
      traceparent: tracer.below(parent),
      parent,
      startMs,
      endMs: clock.now(),
      attributes: { "messaging.system": "nats", "messaging.message.id": _id },
    });
  }

  const consumption = jetstream.consume(
    spec,
    {
      maxBatch: MAX_BATCH,
      parallelBatches: PARALLEL_BATCHES,
      onPoison: (message, error) => deadLetters.keep(spec.name, message, String(error)),
    },
    handle,
  );
  return {
    async stop() {
      await consumption.stop();
      await confirmer.stop();
    },
  };
}
