/** Ends the pending deliveries of disabled endpoints: on notice, and by a regular check. */
import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { type EndpointDirectory, isLive } from "../endpoint/endpoint-directory.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import type { QueueHead } from "../records/queue-heads.repository.ts";
import { bothQueues, type PartitionedEndpoint, parseQueue } from "../records/queue-name.rules.ts";

export type DisabledEndpoints = {
  /** Ends everything of this endpoint that is not under way here. */
  exhaust(endpoint: PartitionedEndpoint): Promise<void>;
  /** After a change of the partner's endpoint. Never rejects. */
  endIfDisabled(partnerId: string): Promise<void>;
  /** Asks for some of the endpoints whether they are still live. */
  lookAgain(heads: readonly QueueHead[]): Promise<void>;
};

type Deps = {
  deliveries: Pick<DeliveryRepository, "exhaust" | "partnerOf">;
  directory: Pick<EndpointDirectory, "find">;
  queues: Pick<EndpointQueues, "heldIds" | "forget">;
  partitions: Pick<EndpointPartitions, "epoch" | "locate">;
  clock: Clock;
  logger: Logger;
};

const PER_STEP = 500;
const LOOK_EVERY_MS = 30_000;
const LOOKS_PER_ROUND = 20;

export function createDisabledEndpoints(deps: Deps): DisabledEndpoints {
  const { deliveries, directory, queues, partitions, clock, logger } = deps;
  const lookedAt = new Map<string, number>();

  async function exhaust(endpoint: PartitionedEndpoint): Promise<void> {
    const { endpointId } = endpoint;
    queues.forget(endpointId);
    let sum = 0;
    for (;;) {
      // An attempt under way is recorded first; its retry then finds the endpoint disabled.
      const underWay = queues.heldIds(endpointId);
      const exhausted = await deliveries.exhaust(bothQueues(endpoint), clock.now(), PER_STEP, underWay);
      sum += exhausted;
      if (exhausted < PER_STEP) break;
    }
    if (sum > 0) logger.info({ endpointId, deliveries: sum }, "endpoint.deliveries_given_up");
  }

  return {
    exhaust,
    async endIfDisabled(partnerId) {
      if (partitions.epoch(partnerId) === null) return;
      try {
        const endpoint = await directory.find(partnerId);
        if (endpoint && !isLive(endpoint)) await exhaust(partitions.locate(endpoint));
      } catch (err) {
        logger.warn({ err, partnerId }, "endpoint.not_checked");
      }
    },
    async lookAgain(heads) {
      const now = clock.now();
      const present = new Set(heads.map(({ queue }) => queue));
      for (const queue of lookedAt.keys()) if (!present.has(queue)) lookedAt.delete(queue);
      const old = [...present].filter((queue) => now - (lookedAt.get(queue) ?? 0) > LOOK_EVERY_MS);
      for (const queue of old.slice(0, LOOKS_PER_ROUND)) {
        lookedAt.set(queue, now);
        const partnerId = await deliveries.partnerOf(queue);
        if (partnerId && !isLive(await directory.find(partnerId))) await exhaust(parseQueue(queue));
      }
    },
  };
}
