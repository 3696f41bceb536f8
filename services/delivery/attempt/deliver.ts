/** One attempt: sent, its outcome stored, everybody told. What goes wrong on our side counts for nothing. */
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer, type Tracer } from "../../../shared/telemetry/tracer.ts";
import type { EndpointDirectory, RegisteredEndpoint } from "../endpoint/endpoint-directory.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { type AttemptRef, attempted, type DeliveryUpdate } from "../records/delivery-update.rules.ts";
import { afterAttempt, type Next } from "../records/retry.rules.ts";
import type { Sender } from "../send/send-attempt.ts";

export type DeliverPorts = {
  sender: Pick<Sender, "send">;
  directory: Pick<EndpointDirectory, "secretsOf">;
  pauses: Pick<EndpointPauses, "pause" | "until">;
  store(update: DeliveryUpdate): Promise<void>;
  reportHealth(endpoint: RegisteredEndpoint, outcome: AttemptOutcome, isExhausted: boolean): void;
  clock: Clock;
  random(): number;
  config: Pick<Config, "retrySchedule">;
  logger: Logger;
  metrics: Metrics;
  tracer?: Tracer;
};

export type Attempt = {
  delivery: OpenDelivery;
  endpoint: RegisteredEndpoint;
  body: string;
  traceparent: string | null;
};

export type Deliver = (attempt: Attempt) => Promise<() => Promise<void>>;

/**
 * Resolves when the request has come to its end, to the step that stores it. Rejects when nothing was sent; the step
 * rejects when the outcome could not be stored.
 */
export async function deliver(ports: DeliverPorts, attempt: Attempt): Promise<() => Promise<void>> {
  const { delivery, endpoint } = attempt;
  const ref = { deliveryId: delivery._id, attemptNo: delivery.attemptCount + 1 };
  const outcome = await send(ports, attempt, ref);
  const finishedAt = ports.clock.now();
  // In force before the place of this request is given to the next.
  const pausing = pauseIfAsked(ports, delivery.endpointId, outcome, finishedAt);
  return async () => {
    const pausedUntil = await pausing;
    const next = afterAttempt(
      { ok: outcome.ok, attemptNo: ref.attemptNo, finishedAt, pausedUntil },
      ports.config.retrySchedule,
      ports.random(),
    );
    await ports.store(attempted(ref, outcome, next, finishedAt));
    ports.reportHealth(endpoint, outcome, next.status === "Exhausted");
    observe(ports, attempt, ref, outcome, next);
    traceAttempt(ports, attempt, ref, outcome, finishedAt);
  };
}

function send({ sender, directory }: DeliverPorts, { delivery, endpoint, body }: Attempt, ref: AttemptRef) {
  return sender.send({
    ...ref,
    url: endpoint.url,
    secrets: directory.secretsOf(endpoint),
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    eventVersion: delivery.eventVersion,
    isReplay: delivery.replaySeries !== null,
    body,
  });
}

async function pauseIfAsked(
  { pauses }: DeliverPorts,
  endpointId: string,
  { retryAfterMs }: AttemptOutcome,
  nowMs: number,
): Promise<number | null> {
  if (retryAfterMs === null) return pauses.until(endpointId);
  await pauses.pause(endpointId, nowMs + retryAfterMs);
  return nowMs + retryAfterMs;
}

/** In the trace of the request that caused the event, however long ago that was. */
function traceAttempt(
  { tracer = noTracer }: DeliverPorts,
  { delivery, traceparent: parent }: Attempt,
  { deliveryId, attemptNo }: AttemptRef,
  { ok, statusCode, errorKind, durationMs }: AttemptOutcome,
  finishedAt: number,
): void {
  if (!tracer.enabled || !parent) return;
  tracer.record({
    name: `webhook ${delivery.eventType}`,
    kind: "client",
    traceparent: tracer.below(parent),
    parent,
    startMs: finishedAt - durationMs,
    endMs: finishedAt,
    attributes: {
      "pbo.event_id": delivery.eventId,
      "pbo.delivery_id": deliveryId,
      "pbo.attempt": attemptNo,
      ...(statusCode === null ? {} : { "http.response.status_code": statusCode }),
    },
    ...(ok ? {} : { error: errorKind ?? "failed" }),
  });
}

/** Attempts of one delivery differ little; the label shows the first, the retries and the last. */
const attemptLabel = (attemptNo: number, isLast: boolean): string =>
  attemptNo === 1 ? "first" : isLast ? "last" : "retry";

function observe(
  { logger, metrics }: DeliverPorts,
  { delivery, traceparent }: Attempt,
  { attemptNo }: AttemptRef,
  { ok, statusCode, errorKind, durationMs }: AttemptOutcome,
  next: Next,
): void {
  const isLast = next.status === "Exhausted";
  const labels = {
    outcome: ok ? "delivered" : (errorKind ?? "failed"),
    attempt: attemptLabel(attemptNo, isLast),
  };
  metrics.increment("pbo_delivery_attempts_total", labels);
  metrics.observe("pbo_delivery_attempt_duration_seconds", durationMs / 1_000);
  if (isLast) metrics.increment("pbo_delivery_dead_total");
  const { _id: deliveryId, eventId, endpointId } = delivery;
  const ids = { deliveryId, eventId, endpointId, attempt: attemptNo, traceparent };
  logger.info({ ...ids, statusCode, errorKind, durationMs, status: next.status }, "attempt.finished");
}
