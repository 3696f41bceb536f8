/** How the delivery service takes events from the stream: recorded, acknowledged, confirmed, in this order. */
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { type ConsumeEventsDeps, consumeEvents } from "../../../services/delivery/intake/events.consumer.ts";
import type { NewEvent } from "../../../services/delivery/records/event.rules.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import type { BatchHandler, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS } from "../../../shared/jetstream/streams.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer, type Tracer } from "../../../shared/telemetry/tracer.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const CONSUMER = CONSUMERS.deliveryRecord.name;
const clock = { now: () => NOW };
const correlation = {
  ...{ correlationId: "c", requestId: "r", customerId: "1", partnerCustomerId: null, sequence: 1 },
};
const anEvent = () =>
  outboxEntry({ eventType: "business.profile.created", partnerId: "p1", correlation, data: {} }, clock);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const away = () => Promise.reject(new Error("database away"));

type Options = Parameters<ConsumeEventsDeps["jetstream"]["consume"]>[1];
type Given = Partial<Pick<ConsumeEventsDeps, "schedule" | "deadLetters">> & { enabled?: boolean };

/** Logs every step in order. While the consumption stops, the batch under way ends. */
function aStage({ enabled = false, ...given }: Given = {}) {
  let taken: { spec: unknown; options: Options; handler: BatchHandler } | undefined;
  const log: unknown[] = [];
  const spans: unknown[] = [];
  const planned: NewEvent[] = [];
  const underWay: StreamMessage[] = [];
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
    async schedule(events) {
      log.push(`schedule ${events.length}`);
      planned.push(...events);
      return { recorded: events.length };
    },
    deadLetters: { keep: async (consumer, { id }, reason) => void log.push([consumer, id, reason]) },
    confirm: async (events) => {
      await turn();
      log.push(["confirm", events.map(({ _id }) => _id)]);
    },
    ...{ clock, logger: pino({ level: "silent" }), metrics, tracer },
    ...given,
  });
  if (!taken) throw new Error("Nothing is consumed.");
  const { spec, options, handler } = taken;
  const message = (id: string, text: string, traceparent: string | null = null) =>
    ({
      ...{ subject: "events.p1.x", id, sequence: 7, deliveryCount: 1 },
      header: (name: string) => ({ traceparent })[name] ?? null,
      text: () => text,
      ack: () => void log.push(`ack ${id}`),
    }) as unknown as StreamMessage;
  return {
    ...{ spec, options, log, spans, planned, underWay, message, consumption },
    handle: (...batch: StreamMessage[]) => handler(batch),
    /** The value of a counter with this label. */
    async counted(name: string, label: string): Promise<number> {
      const [, value] =
        new RegExp(`^${name}\\{.*${label}.*\\} (\\d+)$`, "m").exec(await metrics.text()) ?? [];
      return Number(value ?? 0);
    },
  };
}

describe("consumeEvents", () => {
  test("messages are taken in batches of the configured size; a poison message is kept", async () => {
    const { spec, options, log, message } = aStage();
    expect(spec).toBe(CONSUMERS.deliveryRecord);
    expect(options).toMatchObject({ maxBatch: 400, parallelBatches: 1 });
    await options.onPoison(message("poison", "{}"), new Error("broken"));
    expect(log).toEqual([[CONSUMER, "poison", "Error: broken"]]);
  });

  test("a batch is recorded as a whole, then acknowledged, then confirmed", async () => {
    const { log, planned, message, handle, counted, consumption } = aStage();
    const [one, two] = [anEvent(), anEvent()];
    await handle(message("a", one.body, "trace-1"), message("b", two.body));
    await consumption.stop();
    expect(log).toEqual(["schedule 2", "ack a", "ack b", ["confirm", [one.eventId, two.eventId]]]);
    expect(planned.map(({ envelopeJson, traceparent }) => [envelopeJson, traceparent])).toEqual([
      [one.body, "trace-1"],
      [two.body, null],
    ]);
    expect(await counted("pbo_events_consumed_total", 'result="recorded"')).toBe(2);
  });

  test.each([
    ["recording fails", { schedule: away }, "a", anEvent().body],
    ["a malformed message cannot be stored", { deadLetters: { keep: away } }, "bad", "{}"],
  ])("%s: nothing is acknowledged or confirmed, and the batch fails", async (_, given, id, text) => {
    const { log, message, handle, consumption } = aStage(given);
    await expect(handle(message(id, text))).rejects.toThrow("database away");
    await consumption.stop();
    expect(log).toEqual([]);
  });

  test("an event recorded before is acknowledged and confirmed again, and counted as duplicate", async () => {
    const { log, message, handle, counted, consumption } = aStage({
      schedule: async () => ({ recorded: 0 }),
    });
    const { body, eventId } = anEvent();
    await handle(message("a", body));
    await consumption.stop();
    expect(log).toEqual(["ack a", ["confirm", [eventId]]]);
    expect(await counted("pbo_events_consumed_total", 'result="duplicate"')).toBe(1);
  });

  test("a malformed message is kept with its reason before it is acknowledged; the others go on", async () => {
    const { log, message, handle, counted } = aStage();
    await handle(message("bad", "no JSON"), message("good", anEvent().body));
    expect(log).toEqual([
      ...[[CONSUMER, "bad", "the body is not a JSON object"], "schedule 1", "ack bad", "ack good"],
    ]);
    expect(await counted("pbo_events_consumed_total", 'result="malformed"')).toBe(1);
    expect(await counted("pbo_dead_letters_total", `consumer="${CONSUMER}"`)).toBe(1);
  });

  test("a message has an event and its trace in each line; a malformed line costs no other", async () => {
    const { log, planned, message, handle, counted } = aStage();
    const [one, two] = [anEvent(), anEvent()];
    await handle(message("a", `${one.body}\n{}\n${two.body}`, "trace-1,,trace-2"));
    expect(planned.map(({ _id, traceparent }) => [_id, traceparent])).toEqual([
      [one.eventId, "trace-1"],
      [two.eventId, "trace-2"],
    ]);
    expect(log).toEqual([[CONSUMER, "a", "eventId is not a UUID"], "schedule 2", "ack a"]);
    expect(await counted("pbo_events_consumed_total", 'result="malformed"')).toBe(1);
  });

  test("a stop waits for the batch under way, and for its confirmations", async () => {
    const { log, message, underWay, consumption } = aStage();
    const { body, eventId } = anEvent();
    underWay.push(message("a", body));
    await consumption.stop();
    expect(log).toEqual(["schedule 1", "ack a", ["confirm", [eventId]]]);
  });

  test("recording a traced event is a span; an untraced event, or tracing off, has none", async () => {
    const [traced, untraced] = [anEvent(), anEvent()];
    const stage = aStage({ enabled: true });
    await stage.handle(stage.message("a", traced.body, "trace"), stage.message("b", untraced.body));
    expect(stage.spans).toEqual([
      {
        ...{ name: "record business.profile.created", kind: "consumer", parent: "trace" },
        ...{ traceparent: "below trace", startMs: NOW, endMs: NOW },
        attributes: { "messaging.system": "nats", "messaging.message.id": traced.eventId },
      },
    ]);
    const silent = aStage();
    await silent.handle(silent.message("a", traced.body, "trace"));
    expect(silent.spans).toEqual([]);
  });
});
