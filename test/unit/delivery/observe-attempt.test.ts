import { expect, test } from "@jest/globals";
import { type ObserveDeps, observeAttempt } from "../../../services/delivery/attempt/observe-attempt.ts";
import { continueTrace, type Span } from "../../../shared/telemetry/trace.ts";

const cause = continueTrace(null);

/** The span and the log line that an attempt leaves. */
function observed(attemptNo: number, replaySeries: string | null) {
  const spans: Span[] = [];
  const lines: object[] = [];
  const deps = {
    logger: { info: (line: object) => lines.push(line) },
    metrics: { increment: () => undefined, observe: () => undefined },
    tracer: {
      enabled: true,
      below: (parent: string) => continueTrace(parent),
      record: (span: Span) => spans.push(span),
    },
  } as unknown as ObserveDeps;
  const delivery = { _id: "d", eventId: "e", endpointId: "p", eventType: "webhook.test", replaySeries };
  const attempt = { ref: { deliveryId: "d", attemptNo }, delivery, traceparent: cause };
  const outcome = { ok: true, statusCode: 200, errorKind: null, durationMs: 5 };
  const result = { outcome, next: { status: "Delivered" }, finishedAt: 1_800_000_000_000 };
  observeAttempt(deps, attempt as never, result as never);
  return { span: spans[0] as Span, line: lines[0] };
}
const traceOf = (traceparent: string) => traceparent.split("-")[1];

test("the first attempt is in the trace of what caused the event", () => {
  const { span } = observed(1, null);
  expect([traceOf(span.traceparent), span.parent, span.link]).toEqual([traceOf(cause), cause, undefined]);
});

test.each([
  ["a retry", 2, null],
  ["a replay", 1, "series"],
])("%s is a trace of its own, linked to that one", (_name, attemptNo, series) => {
  const { span } = observed(attemptNo, series);
  expect(traceOf(span.traceparent)).not.toBe(traceOf(cause));
  expect([span.parent, span.link]).toEqual([null, cause]);
});

test("its log line names the trace as that of the request does", () => {
  expect(observed(2, null).line).toMatchObject({ traceId: traceOf(cause) });
});
