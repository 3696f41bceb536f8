/** Takes events from JetStream for the delivery service. */
import type { Clock } from "../../../shared/clock.ts";
import type { DeadLetters } from "../../../shared/jetstream/dead-letters.ts";
import type { Consumption, JetStream } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, type ConsumerSpec } from "../../../shared/jetstream/streams.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import type { Tracer } from "../../../shared/telemetry/tracer.ts";
import type { NewEvent } from "../records/event.rules.ts";
import { type Confirmed, createConfirmer } from "./confirm-events.ts";
import { type RecordEventsDeps, recordEvents } from "./record-events.ts";

export type ConsumeEventsDeps = {
  jetstream: Pick<JetStream, "consume">;
  schedule: RecordEventsDeps["schedule"];
  deadLetters: Pick<DeadLetters, "keep">;
  /** Calls profile.confirmEvents. */
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
  const handler = recordEvents({
    schedule,
    confirm: confirmer.add,
    deadLetter: (message, reason) => {
      logger.error({ subject: message.subject, sequence: message.sequence, reason }, "event.malformed");
      metrics.increment("pbo_dead_letters_total", { consumer: spec.name });
      return deadLetters.keep(spec.name, message, reason);
    },
    count: (result, by) => metrics.increment("pbo_events_consumed_total", { result }, by),
    ...(tracer.enabled ? { trace: traceRecorded(tracer, clock) } : {}),
    clock,
  });
  const consumption = jetstream.consume(
    spec,
    {
      maxBatch: MAX_BATCH,
      parallelBatches: PARALLEL_BATCHES,
      onPoison: (message, error) => deadLetters.keep(spec.name, message, String(error)),
    },
    handler,
  );
  return {
    async stop() {
      await consumption.stop();
      await confirmer.stop();
    },
  };
}

const traceRecorded =
  (tracer: Tracer, clock: Clock) =>
  ({ _id, eventType, traceparent: parent }: NewEvent, startMs: number): void => {
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
  };
