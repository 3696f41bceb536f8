/** How the delivery service takes events from the stream: one batch at a time, kept, confirmed, traced. */
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { type ConsumeEventsDeps, consumeEvents } from "../../../services/delivery/intake/events.consumer.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import type { BatchHandler, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS } from "../../../shared/jetstream/streams.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer, type Tracer } from "../../../shared/telemetry/tracer.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const clock = { now: () => NOW };
const correlation = {
  ...{ correlationId: "c", requestId: "r", customerId: "1", partnerCustomerId: null, sequence: 1 },
};
const anEvent = () =>
  outboxEntry({ eventType: "business.profile.created", partnerId: "p1", correlation, data: {} }, clock);
const message = (text: string, traceparent: string | null = null) =>
  ({
    ...{ subject: "events.p1.x", id: "m", sequence: 7, deliveryCount: 1 },
    header: (name: string) => ({ traceparent })[name] ?? null,
    text: () => text,
    ack: () => undefined,
  }) as unknown as StreamMessage;
const turn = () => new Promise((resolve) => setImmediate(resolve));

type Options = Parameters<ConsumeEventsDeps["jetstream"]["consume"]>[1];

/** While its consumption stops, the batch under way ends. */
function aStage({ enabled = false, underWay = [] }: { enabled?: boolean; underWay?: StreamMessage[] } = {}) {
  let taken: { spec: unknown; options: Options; handler: BatchHandler } | undefined;
  const done: unknown[][] = [];
  const spans: unknown[] = [];
  const tracer: Tracer = {
    ...noTracer,
    enabled,
    below: (parent) => `below ${parent}`,
    record: (span) => void spans.push(span),
  };
  const metrics = createMetrics("delivery");
  const consumption = consumeEvents({
    jetstream: {
      consume(spec, options, handler) {
        taken = { spec, options, handler };
        return {
          async stop() {
            await turn();
            if (underWay.length > 0) await handler(underWay);
          },
        };
      },
    },
    schedule: async (events) => ({ recorded: events.length }),
    deadLetters: { keep: async (...kept) => void done.push(kept) },
    confirm: async (events) => {
      await turn();
      done.push(["confirmed", events.map(({ _id }) => _id)]);
    },
    clock,
    logger: pino({ level: "silent" }),
    metrics,
    tracer,
  });
  if (!taken) throw new Error("Nothing is consumed.");
  const { spec, options, handler } = taken;
  const handle = (...batch: StreamMessage[]) => handler(batch);
  return { spec, options, handle, done, spans, metrics, consumption };
}

describe("consumeEvents", () => {
  test("messages are taken in batches of the configured size; a poison message is kept", async () => {
    const { spec, options, done } = aStage();
    expect(spec).toBe(CONSUMERS.deliveryRecord);
    expect(options).toMatchObject({ maxBatch: 400, parallelBatches: 1 });
    const poison = message("{}");
    await options.onPoison(poison, new Error("broken"));
    expect(done).toEqual([[CONSUMERS.deliveryRecord.name, poison, "Error: broken"]]);
  });

  test("events are planned, counted and confirmed to their source", async () => {
    const { handle, done, metrics, consumption } = aStage();
    const event = anEvent();
    await handle(message(event.body));
    await consumption.stop();
    expect(done).toContainEqual(["confirmed", [event.eventId]]);
    expect(await metrics.text()).toMatch(/^pbo_events_consumed_total\{.*result="recorded".*\} 1$/m);
  });

  test("a malformed message is kept with its reason, and counted", async () => {
    const { handle, done, metrics } = aStage();
    const malformed = message("no JSON");
    await handle(malformed);
    expect(done).toEqual([[CONSUMERS.deliveryRecord.name, malformed, "the body is not a JSON object"]]);
    expect(await metrics.text()).toMatch(
      new RegExp(`^pbo_dead_letters_total\\{.*consumer="${CONSUMERS.deliveryRecord.name}".*\\} 1$`, "m"),
    );
  });

  test("a stop waits for the batch under way, and for its confirmations", async () => {
    const event = anEvent();
    const { done, consumption } = aStage({ underWay: [message(event.body)] });
    await consumption.stop();
    expect(done).toEqual([["confirmed", [event.eventId]]]);
  });

  test("recording a traced event is a span; an untraced event, or tracing off, has none", async () => {
    const [traced, untraced] = [anEvent(), anEvent()];
    const stage = aStage({ enabled: true });
    await stage.handle(message(traced.body, "trace"), message(untraced.body));
    expect(stage.spans).toEqual([
      {
        ...{ name: "record business.profile.created", kind: "consumer", parent: "trace" },
        ...{ traceparent: "below trace", startMs: NOW, endMs: NOW },
        attributes: { "messaging.system": "nats", "messaging.message.id": traced.eventId },
      },
    ]);
    const silent = aStage();
    await silent.handle(message(traced.body, "trace"));
    expect(silent.spans).toEqual([]);
  });
});
