import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import type { Span } from "../../../shared/telemetry/trace.ts";
import { continueTrace } from "../../../shared/telemetry/trace.ts";
import { createTracer, noTracer, spanTimes } from "../../../shared/telemetry/tracer.ts";
import { startOtlpCollector } from "../../support/servers/otlp-collector.ts";

let collector: Awaited<ReturnType<typeof startOtlpCollector>>;
beforeEach(async () => {
  collector = await startOtlpCollector();
});
afterEach(() => collector.close());

const lines: string[] = [];
function tracerWith(settings: Record<string, string> = {}) {
  const env = {
    PBO_ENV: "local",
    PBO_NATS_URL: "nats://127.0.0.1",
    PBO_BASE_URL: "http://localhost",
    PBO_GATEWAY_PRIVATE_KEY: newGatewayKeys().privateKey,
  };
  const config = loadConfig("gateway", { ...env, PBO_OTLP_ENDPOINT: collector.url, ...settings });
  const logger = createLogger(config, { write: (line: string) => void lines.push(line) } as never);
  return createTracer({ config, logger });
}

const aSpan = (changes: Partial<Span> = {}): Span => ({
  name: "profile.create",
  kind: "server",
  traceparent: continueTrace(null),
  parent: null,
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_010.5,
  ...changes,
});

describe("with a collector", () => {
  test("a span arrives as OTLP, with its parent, times, attributes and failure", async () => {
    const tracer = tracerWith();
    const parent = continueTrace(null);
    const traceparent = tracer.below(parent);
    tracer.record(
      aSpan({ parent, traceparent, attributes: { route: "/x", status: 503, cached: false }, error: "503" }),
    );
    await tracer.close();
    const [, traceId, parentSpanId] = parent.split("-");
    expect(collector.paths).toEqual(["POST /v1/traces application/json"]);
    expect(collector.spans).toEqual([
      {
        service: "gateway",
        traceId,
        spanId: traceparent.split("-")[2],
        parentSpanId,
        name: "profile.create",
        kind: 2,
        startMs: 1_700_000_000_000.25,
        endMs: 1_700_000_000_010.5,
        attributes: { route: "/x", status: 503, cached: false },
        error: "503",
        links: [],
      },
    ]);
  });

  test("a span that another trace led to is linked to it", async () => {
    const tracer = tracerWith();
    const [traceparent, link] = [continueTrace(null), continueTrace(null)];
    tracer.record(aSpan({ traceparent, link }));
    await tracer.close();
    expect(collector.spans).toMatchObject([
      { traceId: traceparent.split("-")[1], parentSpanId: null, links: [link.split("-")[1]] },
    ]);
  });

  test("many spans are sent in batches, and none is lost at the end", async () => {
    const tracer = tracerWith();
    for (let i = 0; i < 1_300; i++) tracer.record(aSpan());
    await tracer.close();
    expect(collector.spans).toHaveLength(1_300);
    expect(collector.paths.length).toBe(3);
  });

  test("a caller that asked for no trace gets none, and a share is chosen by the trace id alone", async () => {
    const tracer = tracerWith({ PBO_OTLP_SAMPLE_PERCENT: "25" });
    const other = tracerWith({ PBO_OTLP_SAMPLE_PERCENT: "25" });
    const unsampled = `${continueTrace(null).slice(0, 53)}00`;
    tracer.record(aSpan({ traceparent: unsampled }));
    const traces = Array.from({ length: 2_000 }, () => continueTrace(null));
    for (const traceparent of traces) {
      tracer.record(aSpan({ traceparent, name: "one" }));
      other.record(aSpan({ traceparent, name: "other" }));
    }
    await Promise.all([tracer.close(), other.close()]);
    const seen = (name: string) =>
      new Set(collector.spans.filter((span) => span.name === name).map((span) => span.traceId));
    expect(collector.spans.map(({ traceId }) => traceId)).not.toContain(unsampled.split("-")[1]);
    expect(seen("one")).toEqual(seen("other"));
    expect(seen("one").size).toBeGreaterThan(350);
    expect(seen("one").size).toBeLessThan(650);
  });

  test("a collector that refuses costs the spans and one warning", async () => {
    collector.answer(503);
    lines.length = 0;
    const tracer = tracerWith({ PBO_LOG_LEVEL: "info" });
    for (let i = 0; i < 600; i++) tracer.record(aSpan());
    await tracer.close();
    expect(lines.filter((line) => line.includes("traces.not_sent"))).toHaveLength(1);
  });
});

test("without a collector nothing is made: the trace goes on as it is", () => {
  const tracer = tracerWith({ PBO_OTLP_ENDPOINT: "" });
  expect(tracer).toBe(noTracer);
  expect(tracer.below("00-a-b-01")).toBe("00-a-b-01");
});

test("a wall clock that is set while a process runs: its spans have the new time and keep their length", () => {
  const set = Date.now() + 3_600_000;
  const clock = jest.spyOn(Date, "now").mockReturnValue(set);
  try {
    const now = performance.now();
    const { startMs, endMs } = spanTimes(now - 250, now);
    expect(Math.abs(endMs - set)).toBeLessThan(1_000);
    expect(endMs - startMs).toBeCloseTo(250, 3);
  } finally {
    clock.mockRestore();
  }
});
