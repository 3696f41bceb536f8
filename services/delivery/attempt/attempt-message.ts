/** The message of attempts that are due together: written here, read by the consumer, judged by their records. */
import { createHash } from "node:crypto";
import type { Config } from "../../../shared/config/config.ts";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { type DeliveryLane, deliverySubject } from "../../../shared/jetstream/streams.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { AttemptRef, HandedOver } from "../records/delivery-update.rules.ts";
import { laneOf } from "../records/queue-name.rules.ts";

type Due = Pick<OpenDelivery, "_id" | "endpointId" | "replaySeries" | "attemptCount" | "claim">;

export type PublishAttempts = (due: readonly Due[]) => Promise<void>;

type Deps = {
  jetstream: Pick<JetStream, "publish">;
  queues: Pick<EndpointQueues, "announce">;
  config: Pick<Config, "namespace">;
};

/** A message per attempt was measured to cost a quarter of a delivery; larger ones spread badly over replicas. */
const MAX_PER_MESSAGE = 25;

export function attemptPublisher({ jetstream, queues, config }: Deps): PublishAttempts {
  const publishTogether = (lane: DeliveryLane, due: readonly Due[]) => {
    const refs = due.map(
      ({ _id, attemptCount, claim = null }): HandedOver => ({
        deliveryId: _id,
        attemptNo: attemptCount + 1,
        claim,
      }),
    );
    const subject = deliverySubject(config.namespace, lane);
    return jetstream.publish(subject, JSON.stringify(refs), { id: messageId(due) });
  };

  return async (due) => {
    for (const [endpointId, { length }] of Map.groupBy(due, (delivery) => delivery.endpointId))
      queues.announce(endpointId, length);
    const published: Promise<unknown>[] = [];
    for (const [lane, inLane] of Map.groupBy(due, laneOf))
      for (let at = 0; at < inLane.length; at += MAX_PER_MESSAGE)
        published.push(publishTogether(lane, inLane.slice(at, at + MAX_PER_MESSAGE)));
    await Promise.all(published);
  };
}

/**
 * The broker drops a message whose id it knows. A plan made twice is such a copy; what is handed over again has a new
 * claim, since the broker may have lost the first message.
 */
function messageId(due: readonly Due[]): string {
  const attempts = due.map(({ _id, attemptCount, claim = "" }) => `${_id}:${attemptCount}:${claim}`);
  return createHash("sha256").update(attempts.join(" ")).digest("base64url");
}

/** Null when it is not a list of attempts. A message from before claims were part of it has none. */
export function parseAttempts(text: string): HandedOver[] | null {
  try {
    const refs: unknown = JSON.parse(text);
    if (!Array.isArray(refs) || !refs.every(isAttempt)) return null;
    return refs.map(({ deliveryId, attemptNo, claim = null }) => ({ deliveryId, attemptNo, claim }));
  } catch {
    return null;
  }
}

function isAttempt(value: unknown): value is AttemptRef & { claim?: string | null } {
  const { deliveryId, attemptNo, claim } = (value ?? {}) as Partial<HandedOver>;
  return typeof deliveryId === "string" && Number.isInteger(attemptNo) && typeof (claim ?? "") === "string";
}
