/** Runs due attempts of this process's partitions: judges each and hands those to be sent to the endpoint queues. */
import { retry } from "../../../shared/retry.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { exhausted, putOff } from "../records/delivery-update.rules.ts";
import type { AttemptDeps } from "./attempt-deps.ts";
import { attemptTask, refOf } from "./attempt-task.ts";
import { judgeAttempt } from "./judge-attempt.rules.ts";
import { type DueAttempt, type LoadedAttempt, loadAttempts } from "./load-attempts.ts";

/** Never rejects: an attempt that cannot run now is put off in its record, or claimed when its lease ends. */
export type RunAttempts = (due: readonly DueAttempt[]) => Promise<void>;

/** An attempt whose endpoint has a full queue waits this long in the database. */
const BUSY_MS = 1_000;
const LOAD_AGAIN_MS = 100;
const MAX_LOAD_WAIT_MS = 2_000;

export function runAttempts(deps: AttemptDeps): RunAttempts {
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

/** The attempt is queued here, or was just recorded. */
const isKnown = ({ queues, recorded }: AttemptDeps, { _id, attemptCount }: OpenDelivery): boolean =>
  queues.holds(_id) || (recorded.get(_id) ?? 0) > attemptCount;

/** The registry or the database may be away for a while; within the lease no other process claims the attempts. */
const loadThroughFaults = (deps: AttemptDeps, due: readonly DueAttempt[]): Promise<LoadedAttempt[]> =>
  retry(() => loadAttempts(deps, due), {
    firstWaitMs: LOAD_AGAIN_MS,
    maxWaitMs: MAX_LOAD_WAIT_MS,
    withinMs: deps.config.deliveryLeaseMs / 3,
    signal: deps.stopping,
    onFault: (err) => deps.logger.warn({ err, attempts: due.length }, "attempts.waiting"),
  });

async function runAttempt(
  deps: AttemptDeps,
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
  if (verdict.kind === "exhaust") {
    if (verdict.because === "event gone")
      deps.logger.error({ deliveryId: delivery._id, eventId: delivery.eventId }, "attempt.without_event");
    return deps.store(exhausted(ref, nowMs), delivery);
  }
  if (!endpoint || !content) return;
  const { envelopeJson: body, traceparent } = content;
  const task = attemptTask(deps, { ref, delivery, endpoint, body, traceparent, epoch });
  // A full queue refuses the attempt; it is put off in its record.
  return deps.queues.offer(task) || deps.store(putOff(ref, nowMs + BUSY_MS), delivery);
}
