/** Ends the pending deliveries of disabled endpoints: on notice, and by a regular check. */
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { QueueHead } from "../records/queue-heads.repository.ts";
import { bothQueues, type PartitionedEndpoint, parseQueue } from "../records/queue-name.rules.ts";
import type { DueDeps } from "./due-deps.ts";

export type DisabledEndpoints = ReturnType<typeof createDisabledEndpoints>;

const PER_STEP = 500;
const CHECK_EVERY_MS = 30_000;
const CHECKS_PER_ROUND = 20;

export function createDisabledEndpoints({ runtime, deliveries, endpoints }: DueDeps) {
  const { clock, logger } = runtime;
  const { directory, partitions, queues } = endpoints;
  const checkedAt = new Map<string, number>();

  /** Ends everything of this endpoint that is not under way here. */
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
    if (sum > 0) logger.info({ endpointId, deliveries: sum }, "endpoint.deliveries_exhausted");
  }

  return {
    exhaust,
    /** After a change of the partner's endpoint, in the process that owns it. Never rejects. */
    async endIfDisabled(partnerId: string): Promise<void> {
      if (partitions.epoch(partnerId) === null) return;
      try {
        const endpoint = await directory.find(partnerId);
        if (endpoint && !isLive(endpoint)) await exhaust(partitions.locate(endpoint));
      } catch (err) {
        logger.warn({ err, partnerId }, "endpoint.not_checked");
      }
    },
    /** Finds endpoints that were disabled without notice to this process: asks the registry for some in each round. */
    async check(heads: readonly QueueHead[]): Promise<void> {
      const now = clock.now();
      const present = new Set(heads.map(({ queue }) => queue));
      for (const queue of checkedAt.keys()) if (!present.has(queue)) checkedAt.delete(queue);
      const old = [...present].filter((queue) => now - (checkedAt.get(queue) ?? 0) > CHECK_EVERY_MS);
      for (const queue of old.slice(0, CHECKS_PER_ROUND)) {
        checkedAt.set(queue, now);
        const partnerId = await deliveries.partnerOf(queue);
        if (partnerId && !isLive(await directory.find(partnerId))) await exhaust(parseQueue(queue));
      }
    },
  };
}
