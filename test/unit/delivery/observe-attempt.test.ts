import { expect, test } from "@jest/globals";
import { type ObserveDeps, observeAttempt } from "../../../services/delivery/attempt/observe-attempt.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { continueTrace, type Span } from "../../../shared/telemetry/trace.ts";

const cause = continueTrace(null);

const FINISHED_AT = 1_800_000_000_000;
const FIRST = "pbo_delivery_first_attempt_seconds";
const HEALTHY = { status: "Active", consecutiveFailures: 0 };

/** The span, the log line and the metrics that an attempt leaves. */
function observed(attemptNo: number, replaySeries: string | null, more: object = {}) {
  const spans: Span[] = [];
  const lines: object[] = [];
  const metrics = createMetrics("delivery");
  const deps = {
    logger: { info: (line: object) => lines.push(line) },
    metrics,
    tracer: {
      enabled: true,
      below: (parent: string) => continueTrace(parent),
      record: (span: Span) => spans.push(span),
    },
  } as unknown as ObserveDeps;
  const delivery = {
    _id: "d",
    eventId: "e",
    endpointId: "p",
    eventType: "webhook.test",
    replaySeries,
    occurredAt: new Date(FINISHED_AT),
    ...more,
  };
  const ref = { deliveryId: "d", partnerId: "p", attemptNo };
  const attempt = { ref, delivery, endpoint: HEALTHY, traceparent: cause, ...more };
  const outcome = { ok: true, statusCode: 200, errorKind: null, durationMs: 5 };
  const result = { outcome, next: { status: "Delivered" }, finishedAt: FINISHED_AT };
  observeAttempt(deps, attempt as never, result as never);
  return { span: spans[0] as Span, line: lines[0], metrics };
}
const traceOf = (traceparent: string) => traceparent.split("-")[1];

test("the first attempt is in the trace of what caused the event", () => {
  const { span } = observed(1, null);
  expect([traceOf(span.traceparent), span.parent, span.link]).toEqual([traceOf(cause), cause, undefined]);
});

test.each([
  ["a retry", 2, null],
  ["a replay", 1, "series"],
])(
  "%s has a trace of its own, linked to the first, and no time since the change",
  async (_name, attemptNo, series) => {
    const { span, metrics } = observed(attemptNo, series);
    expect(traceOf(span.traceparent)).not.toBe(traceOf(cause));
    expect([span.parent, span.link]).toEqual([null, cause]);
    expect(await metrics.text()).not.toContain(`${FIRST}_sum`);
  },
);

test("its log line names the trace as that of the request does", () => {
  expect(observed(2, null).line).toMatchObject({ traceId: traceOf(cause) });
});

const occurredAt = new Date(FINISHED_AT - 3_005);

test("the first attempt measures how long after the change it was sent, and by which trace", async () => {
  const text = await observed(1, null, { occurredAt }).metrics.text();
  expect(text).toContain(`${FIRST}_sum{process="delivery",receiver="healthy"} 3\n`);
  expect(text).toMatch(
    new RegExp(`^${FIRST}_bucket\\{le="5",.*\\} 1 # \\{trace_id="${traceOf(cause)}"\\} 3 `, "m"),
  );
});

test("a clock that is behind makes no time before zero", async () => {
  const { metrics } = observed(1, null, { occurredAt: new Date(FINISHED_AT + 1_000) });
  expect(await metrics.text()).toContain(`${FIRST}_sum{process="delivery",receiver="healthy"} 0\n`);
});

test.each([
  ["healthy", HEALTHY],
  ["failing", { status: "Active", consecutiveFailures: 1 }],
  ["failing", { status: "Degraded", consecutiveFailures: 0 }],
])("is counted for a %s receiver", async (receiver, endpoint) => {
  const text = await observed(1, null, { endpoint }).metrics.text();
  expect(text).toMatch(new RegExp(`^pbo_delivery_attempts_total\\{.*receiver="${receiver}".*\\} 1$`, "m"));
});
