/**
 * Spans of a trace, told to a collector when one is configured. The trace travels as a traceparent in the meta of calls,
 * in outbox entries and in message headers, with or without a collector; without one nothing is made or kept.
 */
import type { Config } from "../config/config.ts";
import type { Logger } from "./logger.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import { continueTrace, isTraceparent, type Span } from "./trace.ts";

export type Tracer = {
  enabled: boolean;
  /** The traceparent of a new span below this one; the same as given while tracing is off. */
  below(parent: string): string;
  record(span: Span): void;
  close(): Promise<void>;
};

export const noTracer: Tracer = {
  enabled: false,
  below: (parent) => parent,
  record: () => undefined,
  close: async () => undefined,
};

type Deps = { config: Pick<Config, "otlpEndpoint" | "otlpSamplePercent" | "process">; logger: Logger };

export function createTracer({ config, logger }: Deps): Tracer {
  if (!config.otlpEndpoint) return noTracer;
  const exporter = createOtlpExporter({ endpoint: config.otlpEndpoint, service: config.process, logger });
  return {
    enabled: true,
    below: (parent) => continueTrace(parent),
    record(span) {
      if (isTraceparent(span.traceparent) && isSampled(span.traceparent, config.otlpSamplePercent))
        exporter.add(span);
    },
    close: exporter.close,
  };
}

const BUCKETS = 0x10000;

/** Every process decides alike, because the trace id decides; a caller who wants no trace gets none. */
function isSampled(traceparent: string, percent: number): boolean {
  const wanted = (Number.parseInt(traceparent.slice(53), 16) & 1) === 1;
  return wanted && Number.parseInt(traceparent.slice(31, 35), 16) < (percent / 100) * BUCKETS;
}

/** The time of a span from the clock that durations are measured by. */
export const spanTime = (monotonicMs: number): number => performance.timeOrigin + monotonicMs;
