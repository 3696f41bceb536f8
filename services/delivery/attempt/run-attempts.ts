/** Runs due attempts of this process's partitions: judges each and hands those to be sent to the endpoint queues. */
import { retry } from "../../../shared/retry.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { givenUp, putOff } from "../records/delivery-update.rules.ts";
import { attemptTask, refOf, type TaskDeps } from "./attempt-task.ts";
import { judgeAttempt } from "./judge-attempt.rules.ts";
import { type DueAttempt, type LoadDeps, type LoadedAttempt, loadAttempts } from "./load-attempts.ts";

export type RunAttemptsDeps = TaskDeps &
  LoadDeps & { queues: Pick<EndpointQueues, "offer" | "holds">; stopping: AbortSignal };

/** Never rejects: what cannot be run now is put off in its record, or found there when its lease ends. */
export type RunAttempts = (due: readonly DueAttempt[]) => Promise<void>;

/** An endpoint with enough in hand is asked again after this long, when the due ones are looked at. */
const BUSY_MS = 1_000;
const LOAD_AGAIN_MS = 100;
const MAX_LOAD_WAIT_MS = 2_000;

export function runAttempts(deps: RunAttemptsDeps): RunAttempts {
  return async (due) => {
    const news = due.filter(({ delivery }) => !isKnown(deps, delivery));
    try {
      const loaded = await loadThroughFaults(deps, news);
      await Promise.all(loaded.map((each) => runAttempt(deps, each)));
    } catch (err) {
      deps.logger.warn({ err, attempts: news.length }, "attempts.not_loaded");
      for (const { delivery } of news)
        void deps.store(putOff(refOf(delivery), deps.clock.now() + BUSY_MS), delivery);
    }
  };
}

/** A copy of what is in hand, or was just recorded, is answered by that. */
const isKnown = ({ queues, recorded }: RunAttemptsDeps, { _id, attemptCount }: OpenDelivery): boolean =>
  queues.holds(_id) || (recorded.get(_id) ?? 0) > attemptCount;

/** The registry or the database may be away for a while; within the lease nobody else takes them. */
const loadThroughFaults = (deps: RunAttemptsDeps, due: readonly DueAttempt[]): Promise<LoadedAttempt[]> =>
  retry(() => loadAttempts(deps, due), {
    firstWaitMs: LOAD_AGAIN_MS,
    maxWaitMs: MAX_LOAD_WAIT_MS,
    withinMs: deps.config.deliveryLeaseMs / 3,
    signal: deps.stopping,
    onFault: (err) => deps.logger.warn({ err, attempts: due.length }, "attempts.waiting"),
  });

async function runAttempt(
  deps: RunAttemptsDeps,
  { delivery, endpoint, content }: LoadedAttempt,
): Promise<unknown> {
  if (isKnown(deps, delivery)) return;
  const ref = refOf(delivery);
  const nowMs = deps.clock.now();
  const epoch = deps.partitions.epoch(delivery.partnerId);
  if (epoch === null) return deps.store(putOff(ref, nowMs), delivery);
  const verdict = judgeAttempt({
    delivery,
    endpointIsLive: isLive(endpoint),
    hasEvent: content !== undefined,
    pausedUntil: deps.pauses.until(delivery.endpointId),
    nowMs,
  });
  if (verdict.kind === "putOff") return deps.store(putOff(ref, verdict.untilMs, verdict.untilMs), delivery);
  if (verdict.kind === "giveUp") {
    if (verdict.because === "event gone")
      deps.logger.error({ deliveryId: delivery._id, eventId: delivery.eventId }, "attempt.without_event");
    return deps.store(givenUp(ref, nowMs), delivery);
  }
  if (!endpoint || !content) return;
  const { envelopeJson: body, traceparent } = content;
  const task = attemptTask(deps, { ref, delivery, endpoint, body, traceparent, epoch });
  // What the endpoint cannot take now is put off in its record.
  return deps.queues.offer(task) || deps.store(putOff(ref, nowMs + BUSY_MS), delivery);
}
