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

export function attemptTask(deps: AttemptDeps, attempt: Attempt): AttemptTask {
  const { delivery, ref } = attempt;
  const { clock } = deps.runtime;
  const offeredAt = clock.now();
  return {
    deliveryId: delivery._id,
    endpointId: delivery.endpointId,
    priority: priorityOf(delivery),
    send: () => send(deps, attempt, clock.now() - offeredAt),
    drop: () => void deps.store(putOff(ref, clock.now())),
  };
}

/** Answers the storing of the outcome, or of the update in place of an attempt. */
async function send(deps: AttemptDeps, attempt: Attempt, waitedMs: number): Promise<() => Promise<unknown>> {
  const { delivery, ref, body } = attempt;
  const { clock, config, logger } = deps.runtime;
  const { directory, partitions, pauses } = deps.endpoints;
  const notSent = (update: DeliveryUpdate) => () => deps.store(update);
  const now = clock.now();
  // Another process owns the partition now.
  if (partitions.epoch(delivery.partnerId) !== attempt.epoch) return notSent(putOff(ref, now));
  const pausedUntil = pauses.until(delivery.endpointId);
  if (pausedUntil !== null) return notSent(putOff(ref, pausedUntil, pausedUntil));
  // The due loop may claim the attempt when its lease ends; it must not have been sent by then.
  if (waitedMs > config.deliveryLeaseMs / 3) return notSent(putOff(ref, now));
  try {
    const endpoint = waitedMs > FRESH_MS ? await directory.find(delivery.partnerId) : attempt.endpoint;
    if (!isLive(endpoint)) return notSent(exhausted(ref, now));
    const outcome = await deps.sender.send({
      ...ref,
      url: endpoint.url,
      secrets: directory.secretsOf(endpoint),
      eventId: delivery.eventId,
      eventType: delivery.eventType,
      eventVersion: delivery.eventVersion,
      isReplay: delivery.replaySeries !== null,
      body,
    });
    const finishedAt = clock.now();
    // A pause is in force before the slot of this request is free for the next; then it is stored.
    const askedUntil = outcome.retryAfterMs === null ? null : finishedAt + outcome.retryAfterMs;
    const pausing = askedUntil === null ? null : pauses.pause(partitions.locate(delivery), askedUntil);
    const result = { outcome, finishedAt, pausedUntil: askedUntil ?? pauses.until(delivery.endpointId) };
    return async () => {
      await pausing;
      await record(deps, { ...attempt, endpoint }, result);
    };
  } catch (err) {
    logger.warn({ err, ...ref }, "attempt.not_made");
    return notSent(putOffByFault(ref, delivery.postponed, now + faultWaitMs(delivery)));
  }
}

type Result = { outcome: AttemptOutcome; finishedAt: number; pausedUntil: number | null };

async function record(
  deps: AttemptDeps,
  attempt: Attempt,
  { outcome, finishedAt, pausedUntil }: Result,
): Promise<void> {
  const { ref, delivery, endpoint } = attempt;
  const { deliveryId, attemptNo } = ref;
  const next = afterAttempt(
    { ok: outcome.ok, attemptNo, finishedAt, pausedUntil },
    deps.runtime.config.retrySchedule,
    Math.random(),
  );
  const { responseExcerpt, ...facts } = outcome;
  const sealedExcerpt = await deps.excerpts.seal(
    { deliveryId, attemptNo, occurredAt: delivery.occurredAt },
    responseExcerpt,
  );
  if (!(await deps.store(attempted(ref, { ...facts, sealedExcerpt }, next, finishedAt)))) return;
  deps.reportHealth(endpoint, outcome, next.status === "Exhausted");
  observeAttempt(deps.runtime, attempt, { outcome, next, finishedAt });
  deps.onRecorded(delivery);
  deps.recorded.set(deliveryId, attemptNo);
}

const faultWaitMs = ({ postponed }: OpenDelivery): number =>
  Math.min(FAULT_WAIT_MS * 2 ** postponed, MAX_FAULT_WAIT_MS);
