/** The message of attempts that are due together; each is judged by its own record. */
import { createHash } from "node:crypto";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { type DeliveryLane, deliverySubject } from "../../../shared/jetstream/streams.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import { laneOf } from "../records/queue-name.rules.ts";

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

/** A message each was measured to cost as much as a quarter of a delivery; more than this spread badly over replicas. */
const MOST_PER_MESSAGE = 25;

export async function publishAttempts(
  { jetstream, queues, namespace }: Deps,
  due: readonly Due[],
): Promise<void> {
  for (const [endpointId, { length }] of Map.groupBy(due, (delivery) => delivery.endpointId))
    queues.announce(endpointId, length);
  const published: Promise<unknown>[] = [];
  for (const [lane, inLane] of Map.groupBy(due, laneOf))
    for (let at = 0; at < inLane.length; at += MOST_PER_MESSAGE)
      published.push(publishTogether(jetstream, namespace, lane, inLane.slice(at, at + MOST_PER_MESSAGE)));
  await Promise.all(published);
}

function publishTogether(
  jetstream: Deps["jetstream"],
  namespace: string,
  lane: DeliveryLane,
  due: readonly Due[],
): Promise<unknown> {
  const jobs = due.map(
    ({ _id, attemptCount }): AttemptJob => ({
      deliveryId: _id,
      attemptNo: attemptCount + 1,
    }),
  );
  return jetstream.publish(deliverySubject(namespace, lane), JSON.stringify(jobs), { id: messageId(due) });
}

/** The broker drops a second message of the same attempts, unless the first was answered by putting them off. */
function messageId(due: readonly Due[]): string {
  const attempts = due.map(({ _id, attemptCount, postponed }) => `${_id}:${attemptCount}:${postponed}`);
  return createHash("sha256").update(attempts.join(" ")).digest("base64url");
}

export function parseJobs(text: string): AttemptJob[] | null {
  try {
    const jobs: unknown = JSON.parse(text);
    return Array.isArray(jobs) && jobs.every(isJob) ? jobs : null;
  } catch {
    return null;
  }
}

function isJob(value: unknown): value is AttemptJob {
  const { deliveryId, attemptNo } = (value ?? {}) as Partial<AttemptJob>;
  return typeof deliveryId === "string" && Number.isInteger(attemptNo);
}
