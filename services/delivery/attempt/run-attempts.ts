/** Runs due attempts of this process's partitions: judges each and hands those to be sent to the endpoint queues. */
import { retry } from "../../../shared/retry.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { exhausted, putOff } from "../records/delivery-update.rules.ts";
import type { EventContent } from "../records/event.repository.ts";
import type { AttemptDeps } from "./attempt-deps.ts";
import { attemptTask, refOf } from "./attempt-task.ts";
import { judgeAttempt } from "./judge-attempt.rules.ts";

/** A delivery that was just scheduled or claimed; the process that scheduled it has the content. */
type DueAttempt = { delivery: OpenDelivery; content?: EventContent };

/** Never rejects: an attempt that cannot run now is put off in its record, or claimed when its lease ends. */
export type RunAttempts = (due: readonly DueAttempt[]) => Promise<void>;

type LoadedAttempt = Awaited<ReturnType<typeof load>>[number];

/** An attempt whose endpoint has a full queue waits this long in the database. */
const BUSY_MS = 1_000;
const LOAD_AGAIN_MS = 100;
const MAX_LOAD_WAIT_MS = 2_000;

export function runAttempts(deps: AttemptDeps): RunAttempts {
  const { clock, config, logger } = deps.runtime;
  return async (due) => {
    const news = due.filter(({ delivery }) => !isKnown(deps, delivery));
    try {
      // The registry or the database may be away for a while; within the lease no other process claims the attempts.
      const loaded = await retry(() => load(deps, news), {
        firstWaitMs: LOAD_AGAIN_MS,
        maxWaitMs: MAX_LOAD_WAIT_MS,
        withinMs: config.deliveryLeaseMs / 3,
        signal: deps.stopping,
        onFault: (err) => logger.warn({ err, attempts: news.length }, "attempts.waiting"),
      });
      await Promise.all(loaded.map((each) => runAttempt(deps, each)));
    } catch (err) {
      logger.warn({ err, attempts: news.length }, "attempts.not_loaded");
      for (const { delivery } of news) void deps.store(putOff(refOf(delivery), clock.now() + BUSY_MS));
    }
  };
}

/** The attempt is queued here, or was just recorded. */
const isKnown = ({ endpoints, recorded }: AttemptDeps, { _id, attemptCount }: OpenDelivery): boolean =>
  endpoints.queues.holds(_id) || (recorded.get(_id) ?? 0) > attemptCount;

/** Bodies and endpoints of a batch, each with one query for all. */
async function load({ events, endpoints: { directory } }: AttemptDeps, due: readonly DueAttempt[]) {
  const partners = [...new Set(due.map(({ delivery }) => delivery.partnerId))];
  const unread = due.flatMap(({ content, delivery: { eventId, partnerId } }) =>
    content ? [] : [{ _id: eventId, partnerId }],
  );
  const [contents, found] = await Promise.all([
    unread.length > 0 ? events.contents(unread) : [],
    Promise.all(partners.map((partnerId) => directory.find(partnerId))),
  ]);
  const contentOf = new Map(contents.map((content) => [content._id, content]));
  const endpointOf = new Map(partners.map((partnerId, index) => [partnerId, found[index] ?? null]));
  return due.map(({ delivery, content = contentOf.get(delivery.eventId) }) => ({
    delivery,
    content,
    endpoint: endpointOf.get(delivery.partnerId) ?? null,
  }));
}

async function runAttempt(
  deps: AttemptDeps,
  { delivery, endpoint, content }: LoadedAttempt,
): Promise<unknown> {
  if (isKnown(deps, delivery)) return;
  const { runtime, endpoints, store } = deps;
  const ref = refOf(delivery);
  const nowMs = runtime.clock.now();
  const epoch = endpoints.partitions.epoch(delivery.partnerId);
  if (epoch === null) return store(putOff(ref, nowMs));
  const verdict = judgeAttempt({
    delivery,
    endpointIsLive: isLive(endpoint),
    hasEvent: content !== undefined,
    pausedUntil: endpoints.pauses.until(delivery.endpointId),
    nowMs,
  });
  if (verdict.kind === "putOff") return store(putOff(ref, verdict.untilMs, verdict.untilMs));
  if (verdict.kind === "exhaust") {
    if (verdict.because === "event gone")
      runtime.logger.error({ deliveryId: delivery._id, eventId: delivery.eventId }, "attempt.without_event");
    return store(exhausted(ref, nowMs));
  }
  if (!endpoint || !content) return;
  const { envelopeJson: body, traceparent } = content;
  const task = attemptTask(deps, { ref, delivery, endpoint, body, traceparent, epoch });
  // A full queue refuses the attempt; it is put off in its record.
  return endpoints.queues.offer(task) || store(putOff(ref, nowMs + BUSY_MS));
}
