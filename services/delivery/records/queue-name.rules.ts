/** Deliveries wait in one queue per endpoint and lane, so that neither another endpoint nor a replay can block them. */
import type { DeliveryLane } from "../../../shared/jetstream/streams.ts";

const REPLAY_SUFFIX = "/replay";

export const queueName = (endpointId: string, lane: DeliveryLane): string =>
  lane === "replay" ? `${endpointId}${REPLAY_SUFFIX}` : endpointId;

export const parseQueue = (queue: string): { endpointId: string; lane: DeliveryLane } =>
  queue.endsWith(REPLAY_SUFFIX)
    ? { endpointId: queue.slice(0, -REPLAY_SUFFIX.length), lane: "replay" }
    : { endpointId: queue, lane: "attempt" };

export const laneOf = (delivery: { replaySeries: string | null }): DeliveryLane =>
  delivery.replaySeries === null ? "attempt" : "replay";

export const bothQueues = (endpointId: string): string[] => [
  queueName(endpointId, "attempt"),
  queueName(endpointId, "replay"),
];
