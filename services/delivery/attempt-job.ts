/** The message of one due attempt. */
import type { JetStream } from "../../shared/jetstream.ts";
import { deliverySubject } from "../../shared/streams.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import { laneOf } from "./queue-name.rules.ts";

export type AttemptJob = { deliveryId: string; attemptNo: number };

type Due = {
  _id: string;
  endpointId: string;
  replaySeries: string | null;
  attemptCount: number;
  postponed: number;
};

type Deps = {
  jetstream: Pick<JetStream, "publish">;
  queues: Pick<EndpointQueues, "announce">;
  namespace: string;
};

export async function publishAttempts(
  { jetstream, queues, namespace }: Deps,
  due: readonly Due[],
): Promise<void> {
  for (const [endpointId, { length }] of Map.groupBy(due, (delivery) => delivery.endpointId))
    queues.announce(endpointId, length);
  const published = due.map((delivery) => {
    const job: AttemptJob = { deliveryId: delivery._id, attemptNo: delivery.attemptCount + 1 };
    const subject = deliverySubject(namespace, laneOf(delivery), delivery.endpointId);
    return jetstream.publish(subject, JSON.stringify(job), { id: messageId(job, delivery.postponed) });
  });
  await Promise.all(published);
}

/** The broker drops a second message of the same attempt, unless the first was answered by putting it off. */
const messageId = ({ deliveryId, attemptNo }: AttemptJob, postponed: number): string =>
  postponed === 0 ? `${deliveryId}:${attemptNo}` : `${deliveryId}:${attemptNo}:${postponed}`;

export function parseJob(text: string): AttemptJob | null {
  try {
    const { deliveryId, attemptNo } = JSON.parse(text) as Partial<AttemptJob>;
    return typeof deliveryId === "string" && Number.isInteger(attemptNo)
      ? { deliveryId, attemptNo: attemptNo as number }
      : null;
  } catch {
    return null;
  }
}
