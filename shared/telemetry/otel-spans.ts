/** Spans by OpenTelemetry's SDK: their ids and times are ours, sampling, batches and sending are its work. */
import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../config/config.ts";
import { VERSION } from "../version.ts";
import type { Logger } from "./logger.ts";
import type { Span } from "./trace.ts";

export type SpanDeps = {
  config: Pick<Config, "otlpEndpoint" | "otlpSamplePercent" | "process">;
  logger: Logger;
};

const SCOPE = "partner-onboarding";
/** While the collector is away spans are dropped; requests never wait. */
const BATCHES = { scheduledDelayMillis: 1_000, maxExportBatchSize: 512, maxQueueSize: 8_192 };
const SEND_MS = 5_000;
const WARN_EVERY_MS = 60_000;
/** Result of an export, in the SDK's numbers. */
const SUCCESS = 0;

export function openSpans({ config, logger }: SpanDeps) {
  const { otlpEndpoint, otlpSamplePercent, process } = config;
  let own = contextOf("");
  // By the trace id, so that all processes agree; a caller's "not sampled" flag is respected.
  const share = new TraceIdRatioBasedSampler(otlpSamplePercent / 100);
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces`, timeoutMillis: SEND_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": process,
      "service.namespace": "partner-onboarding",
      "service.version": VERSION,
    }),
    sampler: new ParentBasedSampler({ root: share, remoteParentSampled: share }),
    idGenerator: { generateTraceId: () => own.traceId, generateSpanId: () => own.spanId },
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, logger), ...BATCHES })],
  });
  const tracer = provider.getTracer(SCOPE, VERSION);
  return {
    record({ name, kind, traceparent, parent, link, startMs, endMs, attributes = {}, error }: Span): void {
      own = contextOf(traceparent);
      const under = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
      const span = tracer.startSpan(
        name,
        {
          kind: SpanKind[kind.toUpperCase() as Uppercase<typeof kind>],
          startTime: timeOf(startMs),
          attributes,
          links: link ? [{ context: contextOf(link) }] : [],
        },
        under,
      );
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(timeOf(Math.max(startMs, endMs)));
    },
    close: () => provider.shutdown(),
  };
}

/** Says what is lost, once a minute. */
function reporting(exporter: SpanExporter, logger: Logger): SpanExporter {
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) dropped += spans.length;
        if (result.error && performance.now() - warnedAt >= WARN_EVERY_MS) {
          warnedAt = performance.now();
          logger.warn({ err: result.error, dropped }, "traces.not_sent");
          dropped = 0;
        }
        // Reported here; the SDK would fail a stop because of it.
        done({ code: SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function contextOf(traceparent: string): SpanContext {
  const [, traceId = "", spanId = "", flags = "0"] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** As seconds and nanoseconds: the SDK would take a number for a time of the monotonic clock if it is small. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}
