/** Metrics, a log line and a span of an attempt, for operators. */
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import { continueTrace, traceIdOf } from "../../../shared/telemetry/trace.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { AttemptRef } from "../records/delivery-update.rules.ts";
import type { Next } from "../records/retry.rules.ts";

export type ObserveDeps = Pick<ServiceRuntime, "logger" | "metrics" | "tracer">;

type Attempt = {
  ref: AttemptRef;
  delivery: OpenDelivery;
  endpoint: Pick<DeliveryEndpoint, "status" | "consecutiveFailures">;
  traceparent: string | null;
};
type Result = { outcome: AttemptOutcome; next: Next; finishedAt: number };

export function observeAttempt(deps: ObserveDeps, attempt: Attempt, result: Result): void {
  const { logger, metrics } = deps;
  const { ref, delivery, traceparent } = attempt;
  const { ok, statusCode, errorKind, durationMs } = result.outcome;
  const { status } = result.next;
  const isLast = status === "Exhausted";
  const receiver = receiverLabel(attempt);
  metrics.increment("pbo_delivery_attempts_total", {
    outcome: ok ? "delivered" : (errorKind ?? "failed"),
    attempt: attemptLabel(ref.attemptNo, isLast),
    receiver,
  });
  metrics.observe("pbo_delivery_attempt_duration_seconds", durationMs / 1_000, {}, traceparent);
  if (isFirst(attempt)) {
    // The clock of another machine may be ahead.
    const waitedMs = Math.max(0, result.finishedAt - durationMs - delivery.occurredAt.getTime());
    metrics.observe("pbo_delivery_first_attempt_seconds", waitedMs / 1_000, { receiver }, traceparent);
  }
  if (isLast) metrics.increment("pbo_delivery_dead_total");
  logger.info(
    {
      deliveryId: delivery._id,
      eventId: delivery.eventId,
      endpointId: delivery.endpointId,
      attempt: ref.attemptNo,
      traceId: traceparent ? traceIdOf(traceparent) : null,
      statusCode,
      errorKind,
      durationMs,
      status,
    },
    "attempt.finished",
  );
  trace(deps, attempt, result);
}

/** A label each would be too many series; these show the first attempt, the retries and the last. */
const attemptLabel = (attemptNo: number, isLast: boolean): string =>
  attemptNo === 1 ? "first" : isLast ? "last" : "retry";

/** The objectives cover receivers that worked until now. */
const receiverLabel = ({ endpoint: { status, consecutiveFailures } }: Attempt): string =>
  status === "Active" && consecutiveFailures === 0 ? "healthy" : "failing";

const isFirst = ({ ref, delivery }: Attempt): boolean =>
  ref.attemptNo === 1 && delivery.replaySeries === null;

/** Later attempts have a trace of their own, linked to the first: they may be days later, when that trace is closed. */
function trace(
  { tracer }: ObserveDeps,
  attempt: Attempt,
  { outcome: { ok, statusCode, errorKind, durationMs }, finishedAt }: Result,
): void {
  const { delivery, ref, traceparent: cause } = attempt;
  if (!tracer.enabled || !cause) return;
  tracer.record({
    name: `webhook ${delivery.eventType}`,
    kind: "client",
    ...(isFirst(attempt)
      ? { traceparent: tracer.below(cause), parent: cause }
      : { traceparent: continueTrace(null), parent: null, link: cause }),
    startMs: finishedAt - durationMs,
    endMs: finishedAt,
    attributes: {
      "pbo.event_id": delivery.eventId,
      "pbo.delivery_id": ref.deliveryId,
      "pbo.attempt": ref.attemptNo,
      ...(statusCode === null ? {} : { "http.response.status_code": statusCode }),
    },
    ...(ok ? {} : { error: errorKind ?? "failed" }),
  });
}
