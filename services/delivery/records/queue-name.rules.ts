/** A queue per endpoint and priority, so none blocks another. The name begins with the partition: an index range finds all of it. */

/** Replays have a queue of their own, so that they cannot hold up first attempts. */
export type DeliveryPriority = "attempt" | "replay";

export type PartitionedEndpoint = { endpointId: string; partition: number };

const REPLAY_SUFFIX = "/replay";
const PREFIX = "p";
const DIGITS = 4;
const NAME = new RegExp(`^${PREFIX}(\\d{${DIGITS}})\\.(.+?)(${REPLAY_SUFFIX})?$`);

export const queueName = (
  { endpointId, partition }: PartitionedEndpoint,
  priority: DeliveryPriority,
): string => `${beginning(partition)}${endpointId}${priority === "replay" ? REPLAY_SUFFIX : ""}`;

export function parseQueue(queue: string): PartitionedEndpoint & { priority: DeliveryPriority } {
  const [, partition = "", endpointId = "", replay] = NAME.exec(queue) ?? [];
  return { partition: Number(partition), endpointId, priority: replay ? "replay" : "attempt" };
}

/** A pattern that the index answers as a range. */
export const queuesOf = (partition: number): RegExp =>
  new RegExp(`^${beginning(partition).replace(".", "\\.")}`);

export const priorityOf = (delivery: { replaySeries: string | null }): DeliveryPriority =>
  delivery.replaySeries === null ? "attempt" : "replay";

export const bothQueues = (endpoint: PartitionedEndpoint): string[] => [
  queueName(endpoint, "attempt"),
  queueName(endpoint, "replay"),
];

const beginning = (partition: number): string => `${PREFIX}${String(partition).padStart(DIGITS, "0")}.`;
