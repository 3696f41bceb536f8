/**
 * Records spans and exports them when a collector is configured. The traceparent travels in the meta of calls, in outbox
 * entries and in message headers either way; without a collector no spans are created.
 */
import type { SpanDeps } from "./otel-spans.ts";
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

export function createTracer(deps: SpanDeps): Tracer {
  if (!deps.config.otlpEndpoint) return noTracer;
  // Most installations and all tests do without the SDK, and need not load it.
  const spans = import("./otel-spans.ts").then(({ openSpans }) => openSpans(deps));
  return {
    enabled: true,
    below: (parent) => continueTrace(parent),
    record(span) {
      if (isTraceparent(span.traceparent) && isWanted(span.traceparent))
        void spans.then(({ record }) => record(span));
    },
    close: async () => (await spans).close(),
  };
}

/** The flag by which a caller says that it traces. */
const isWanted = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(53), 16) & 1) === 1;

/** By the wall clock of now: a process whose clock was set after its start stays in line with its peers. */
export function spanTimes(startedAt: number, endedAt: number): Pick<Span, "startMs" | "endMs"> {
  const offset = Date.now() - performance.now();
  return { startMs: offset + startedAt, endMs: offset + endedAt };
}
