/** Gauges of what waits to be sent in this process's partitions; those of all processes add up. */
import type { Clock } from "../../../shared/clock.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import type { QueueHead } from "../records/queue-heads.repository.ts";
import { parseQueue } from "../records/queue-name.rules.ts";

type Deps = {
  deliveries: Pick<DeliveryRepository, "countDue">;
  pauses: Pick<EndpointPauses, "until">;
  queues: Pick<EndpointQueues, "held">;
  metrics: Metrics;
  clock: Clock;
};

const EVERY_MS = 5_000;
const COUNT_LIMIT = 10_000;

export function dueObserver({ deliveries, pauses, queues, metrics, clock }: Deps) {
  let nextAt = 0;
  return async (heads: readonly QueueHead[]): Promise<void> => {
    const now = clock.now();
    metrics.set("pbo_delivery_in_hand", queues.held());
    const isDue = ({ queue, claimableAt }: QueueHead) =>
      claimableAt.getTime() <= now && pauses.until(parseQueue(queue).endpointId) === null;
    const due = heads.filter(isDue);
    const oldest = due.reduce((least, { claimableAt }) => Math.min(least, claimableAt.getTime()), now);
    metrics.set("pbo_delivery_oldest_due_age_seconds", (now - oldest) / 1_000);
    if (now < nextAt) return;
    nextAt = now + EVERY_MS;
    const queueNames = due.map(({ queue }) => queue);
    const count = due.length > 0 ? await deliveries.countDue(queueNames, now, COUNT_LIMIT) : 0;
    metrics.set("pbo_delivery_due", count);
  };
}
