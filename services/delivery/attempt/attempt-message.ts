/** The message of attempts that are due together: written here, read by the consumer, judged by their records. */
import { createHash } from "node:crypto";
import type { Config } from "../../../shared/config/config.ts";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { type DeliveryLane, deliverySubject } from "../../../shared/jetstream/streams.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { AttemptRef } from "../records/delivery-update.rules.ts";
import { laneOf } from "../records/queue-name.rules.ts";

type Due = Pick<OpenDelivery, "_id" | "endpointId" | "replaySeries" | "attemptCount" | "postponed">;

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
      ({ _id, attemptCount }): AttemptRef => ({ deliveryId: _id, attemptNo: attemptCount + 1 }),
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

/** The broker drops a second message of the same attempts, unless the first was answered by putting them off. */
function messageId(due: readonly Due[]): string {
  const attempts = due.map(({ _id, attemptCount, postponed }) => `${_id}:${attemptCount}:${postponed}`);
  return createHash("sha256").update(attempts.join(" ")).digest("base64url");
}

/** Null when it is not a list of attempts. */
export function parseAttempts(text: string): AttemptRef[] | null {
  try {
    const refs: unknown = JSON.parse(text);
    return Array.isArray(refs) && refs.every(isAttemptRef) ? refs : null;
  } catch {
    return null;
  }
}

function isAttemptRef(value: unknown): value is AttemptRef {
  const { deliveryId, attemptNo } = (value ?? {}) as Partial<AttemptRef>;
  return typeof deliveryId === "string" && Number.isInteger(attemptNo);
}
