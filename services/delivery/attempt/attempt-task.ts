/** An attempt as a value: sent in its turn, then recorded. A fault of ours does not count as an attempt. */
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { AttemptTask } from "../endpoint/endpoint-queues.ts";
import type { AttemptOutcome } from "../records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import {
  type AttemptRef,
  attempted,
  type DeliveryUpdate,
  exhausted,
  putOff,
  putOffByFault,
} from "../records/delivery-update.rules.ts";
import { priorityOf } from "../records/queue-name.rules.ts";
import { afterAttempt } from "../records/retry.rules.ts";
import type { AttemptDeps } from "./attempt-deps.ts";
import { observeAttempt } from "./observe-attempt.ts";

export type Attempt = {
  ref: AttemptRef;
  delivery: OpenDelivery;
  endpoint: DeliveryEndpoint;
  body: string;
  traceparent: string | null;
  /** The epoch of its partition when the attempt was taken. */
  epoch: number;
};

/** The result of a turn: a request with an outcome, or the update to store without one. */
type Sent =
  | { kind: "notSent"; update: DeliveryUpdate }
  | {
      kind: "sent";
      endpoint: DeliveryEndpoint;
      outcome: AttemptOutcome;
      finishedAt: number;
      pausedUntil: number | null;
      /** The pause is in force here; this is its way to the database. */
      pausing: Promise<void> | null;
    };

/** After a fault of ours, doubled with each further one. */
const FAULT_WAIT_MS = 2_000;
const MAX_FAULT_WAIT_MS = 60_000;
/** An attempt that waited longer in a queue looks its endpoint up again. */
const FRESH_MS = 1_000;

export const refOf = ({ _id, partnerId, attemptCount }: OpenDelivery): AttemptRef => ({
  deliveryId: _id,
  partnerId,
  attemptNo: attemptCount + 1,
});

export function attemptTask(deps: AttemptDeps, attempt: Attempt): AttemptTask<Sent> {
  const { delivery, ref } = attempt;
  const offeredAt = deps.clock.now();
  return {
    deliveryId: delivery._id,
    endpointId: delivery.endpointId,
    priority: priorityOf(delivery),
    send: () => send(deps, attempt, deps.clock.now() - offeredAt),
    record: (sent) => record(deps, attempt, sent),
    drop: () => void deps.store(putOff(ref, deps.clock.now()), delivery),
  };
}

async function send(deps: AttemptDeps, attempt: Attempt, waitedMs: number): Promise<Sent> {
  const { delivery, ref, body } = attempt;
  const now = deps.clock.now();
  // Another process owns the partition now.
  if (deps.partitions.epoch(delivery.partnerId) !== attempt.epoch) return notSent(putOff(ref, now));
  const pausedUntil = deps.pauses.until(delivery.endpointId);
  if (pausedUntil !== null) return notSent(putOff(ref, pausedUntil, pausedUntil));
  // The due loop may claim the attempt when its lease ends; it must not have been sent by then.
  if (waitedMs > deps.config.deliveryLeaseMs / 3) return notSent(putOff(ref, now));
  try {
    const endpoint = waitedMs > FRESH_MS ? await deps.directory.find(delivery.partnerId) : attempt.endpoint;
    if (!isLive(endpoint)) return notSent(exhausted(ref, now));
    const outcome = await deps.sender.send({
      ...ref,
      url: endpoint.url,
      secrets: deps.directory.secretsOf(endpoint),
      eventId: delivery.eventId,
      eventType: delivery.eventType,
      eventVersion: delivery.eventVersion,
      isReplay: delivery.replaySeries !== null,
      body,
    });
    const finishedAt = deps.clock.now();
    const pause = pauseIfAsked(deps, delivery, outcome, finishedAt);
    return { kind: "sent", endpoint, outcome, finishedAt, ...pause };
  } catch (err) {
    deps.logger.warn({ err, ...ref }, "attempt.not_made");
    return notSent(putOffByFault(ref, delivery, now + faultWaitMs(delivery)));
  }
}

async function record(deps: AttemptDeps, attempt: Attempt, sent: Sent): Promise<void> {
  const { ref, delivery } = attempt;
  if (sent.kind === "notSent") return void (await deps.store(sent.update, delivery));
  const { endpoint, outcome, finishedAt, pausedUntil } = sent;
  await sent.pausing;
  const next = afterAttempt(
    { ok: outcome.ok, attemptNo: ref.attemptNo, finishedAt, pausedUntil },
    deps.config.retrySchedule,
    deps.random(),
  );
  const { responseExcerpt, ...facts } = outcome;
  const sealedExcerpt = await deps.excerpts.seal(
    { deliveryId: ref.deliveryId, attemptNo: ref.attemptNo, occurredAt: delivery.occurredAt },
    responseExcerpt,
  );
  const update = attempted(ref, { ...facts, sealedExcerpt }, next, finishedAt);
  if (!(await deps.store(update, delivery))) return;
  deps.reportHealth(endpoint, outcome, next.status === "Exhausted");
  observeAttempt(deps, attempt, { outcome, next, finishedAt });
  deps.onRecorded(delivery);
  deps.recorded.set(ref.deliveryId, ref.attemptNo);
}

const notSent = (update: DeliveryUpdate): Sent => ({ kind: "notSent", update });

/** A pause is in force before the slot of this request is free for the next. */
function pauseIfAsked(
  { pauses, partitions }: AttemptDeps,
  delivery: OpenDelivery,
  { retryAfterMs }: AttemptOutcome,
  nowMs: number,
): { pausedUntil: number | null; pausing: Promise<void> | null } {
  if (retryAfterMs === null) return { pausedUntil: pauses.until(delivery.endpointId), pausing: null };
  const pausedUntil = nowMs + retryAfterMs;
  return { pausedUntil, pausing: pauses.pause(partitions.locate(delivery), pausedUntil) };
}

const faultWaitMs = ({ postponed }: OpenDelivery): number =>
  Math.min(FAULT_WAIT_MS * 2 ** postponed, MAX_FAULT_WAIT_MS);
