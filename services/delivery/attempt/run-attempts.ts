/** Handles messages of due attempts: lets the records judge them and hands those to be sent to the endpoint queues. */
import type { BatchHandler, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import { givenUp, type HandedOver, putOff } from "../records/delivery-update.rules.ts";
import { parseAttempts } from "./attempt-message.ts";
import { type AgainAfterMs, type Attempt, attemptTask, type TaskDeps } from "./attempt-task.ts";
import { judgeAttempt } from "./judge-attempt.rules.ts";
import { type AskedAttempts, type LoadDeps, type LoadedAttempt, loadAttempts } from "./load-attempts.ts";

type Deps = TaskDeps & LoadDeps & { queues: Pick<EndpointQueues, "offer" | "holds"> };

/** An endpoint with enough in hand is asked again after this long, when the due ones are looked at. */
const BUSY_MS = 1_000;

export function runAttempts(deps: Deps): BatchHandler {
  return async (batch, release) => {
    const asked = batch.flatMap((message) => readMessage(deps, message));
    const loaded = await loadAttempts(deps, asked);
    await allOrFirstFault(
      asked.map(async ({ message, refs }) => {
        const again = await allOrFirstFault(
          refs.map((ref) => runAttempt(deps, ref, loaded.get(ref.deliveryId))),
        );
        const delays = again.filter((afterMs) => afterMs !== null);
        if (delays.length > 0) message.nak(Math.max(...delays));
        else message.ack();
        release(message);
      }),
    );
  };
}

function readMessage({ logger }: Deps, message: StreamMessage): AskedAttempts[] {
  const refs = parseAttempts(message.text());
  if (refs) return [{ message, refs }];
  logger.error({ subject: message.subject, sequence: message.sequence }, "attempt.malformed");
  message.term();
  return [];
}

/** Waits for all of them, before a fault of one makes the rest come again while it is still in hand. */
async function allOrFirstFault<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Resolves when the attempt is recorded, put off or dropped. Rejects only when it is the fault of the database. */
async function runAttempt(
  deps: Deps,
  { claim, ...ref }: HandedOver,
  loaded: LoadedAttempt | undefined,
): Promise<AgainAfterMs> {
  // A copy of what is in hand, or was just recorded, is answered by that.
  if (deps.queues.holds(ref.deliveryId) || (deps.recorded.get(ref.deliveryId) ?? 0) >= ref.attemptNo)
    return null;
  if (!loaded) return null;
  const { delivery, endpoint, content } = loaded;
  const nowMs = deps.clock.now();
  const verdict = judgeAttempt({
    delivery,
    attemptNo: ref.attemptNo,
    claim,
    endpointIsLive: isLive(endpoint),
    hasEvent: Boolean(content?.envelopeJson),
    pausedUntil: deps.pauses.until(delivery.endpointId),
    nowMs,
  });
  if (verdict.kind === "putOff") await deps.store(putOff(ref, delivery, verdict.untilMs, verdict.untilMs));
  if (verdict.kind === "giveUp") {
    if (verdict.because === "event gone")
      deps.logger.error({ deliveryId: delivery._id, eventId: delivery.eventId }, "attempt.without_event");
    await deps.store(givenUp(ref, nowMs));
  }
  if (verdict.kind !== "send" || !endpoint || !content?.envelopeJson) return null;
  const { envelopeJson: body, traceparent } = content;
  return enqueue(deps, { ref, delivery, endpoint, body, traceparent });
}

/** What the endpoint cannot take now is put off in its record. */
async function enqueue(deps: Deps, attempt: Attempt): Promise<AgainAfterMs> {
  const { promise, resolve } = Promise.withResolvers<AgainAfterMs>();
  if (deps.queues.offer(attemptTask(deps, attempt, resolve))) return promise;
  await deps.store(putOff(attempt.ref, attempt.delivery, deps.clock.now() + BUSY_MS));
  return null;
}
