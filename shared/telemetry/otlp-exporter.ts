/** Sends spans in batches as OTLP over HTTP (JSON). While the collector is away spans are dropped; requests never wait. */
import { freeLane } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";
import { VERSION } from "../version.ts";
import type { Logger } from "./logger.ts";
import type { Span, SpanKind } from "./trace.ts";

type Deps = { endpoint: string; service: string; logger: Logger };

const BATCH_EVERY_MS = 1_000;
const MAX_IN_BATCH = 512;
const MAX_WAITING = 8_192;
const SEND_MS = 5_000;
const WARN_EVERY_MS = 60_000;
const NANOS_PER_MS = 1_000_000;

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const STATUS_ERROR = 2;

export function createOtlpExporter({ endpoint, service, logger }: Deps) {
  const url = `${endpoint}/v1/traces`;
  let waiting: Span[] = [];
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const sends = createPollLoop({
    lane: freeLane,
    round: sendWaiting,
    everyMs: BATCH_EVERY_MS,
    onError: warn,
  });
  sends.start(BATCH_EVERY_MS);

  async function send(spans: Span[]): Promise<void> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(exportRequest(service, spans)),
        signal: AbortSignal.timeout(SEND_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
    } catch (err) {
      dropped += spans.length;
      warn(err);
    }
  }

  function warn(err: unknown): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn({ err, dropped }, "traces.not_sent");
    dropped = 0;
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_IN_BATCH);
      waiting = waiting.slice(MAX_IN_BATCH);
      await send(batch);
    }
  }

  return {
    add(span: Span): void {
      if (waiting.length < MAX_WAITING) waiting.push(span);
      else dropped += 1;
    },
    async close(): Promise<void> {
      await sends.stop();
      await sendWaiting();
    },
  };
}

function exportRequest(service: string, spans: readonly Span[]) {
  const resource = {
    "service.name": service,
    "service.namespace": "partner-onboarding",
    "service.version": VERSION,
  };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList(resource) },
        scopeSpans: [{ scope: { name: "partner-onboarding", version: VERSION }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan({ name, kind, traceparent, parent, startMs, endMs, attributes = {}, error }: Span) {
  const [, traceId, spanId] = traceparent.split("-");
  return {
    traceId,
    spanId,
    ...(parent ? { parentSpanId: parent.split("-")[2] } : {}),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(Math.max(startMs, endMs)),
    attributes: attributeList(attributes),
    ...(error === undefined ? {} : { status: { code: STATUS_ERROR, message: error } }),
  };
}

/** As text: too large for an exact number. */
const nanos = (ms: number): string => {
  const whole = Math.floor(ms);
  return `${BigInt(whole) * BigInt(NANOS_PER_MS) + BigInt(Math.round((ms - whole) * NANOS_PER_MS))}`;
};

const attributeList = (attributes: Readonly<Record<string, string | number | boolean>>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: attributeValue(value) }));

function attributeValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
