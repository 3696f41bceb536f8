/**
 * Records spans and exports them when a collector is configured. The traceparent travels in the meta of calls, in outbox
 * entries and in message headers either way; without a collector no spans are created.
 */
import type { Config } from "../config/config.ts";
import type { Logger } from "./logger.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import { continueTrace, isTraceparent, type Span } from "./trace.ts";

export type Tracer = {
  enabled: boolean;
  /** The traceparent of a new child span; unchanged while tracing is off. */
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

/** Decided by the trace id, so that all processes agree; a caller's "not sampled" flag is respected. */
function isSampled(traceparent: string, percent: number): boolean {
  const wanted = (Number.parseInt(traceparent.slice(53), 16) & 1) === 1;
  return wanted && Number.parseInt(traceparent.slice(31, 35), 16) < (percent / 100) * BUCKETS;
}

/** Converts a time of the monotonic clock to milliseconds since 1970. */
export const spanTime = (monotonicMs: number): number => performance.timeOrigin + monotonicMs;
