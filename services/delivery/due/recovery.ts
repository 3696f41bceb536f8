/**
 * Makes the waiting retries of a healed endpoint due, step by step: the next step follows when every attempt of the
 * last one was made and some were delivered. An endpoint that fails again loses no more than one step.
 */
import type { Clock } from "../../../shared/clock.ts";
import type { Place } from "../../../shared/mongo/mongo.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { EndpointStateRepository } from "../endpoint/endpoint-state.repository.ts";
import type { DeliveryRepository, OpenDelivery } from "../records/delivery.repository.ts";
import { bothQueues, type PartitionedEndpoint } from "../records/queue-name.rules.ts";

type Deps = {
  deliveries: Pick<DeliveryRepository, "pullForward" | "load">;
  states: Pick<EndpointStateRepository, "endRecovery">;
  queues: Pick<EndpointQueues, "room">;
  /** A step is complete. */
  onStepEnd(): void;
  clock: Clock;
};

export type Recovery = {
  /** Advances recovered endpoints; answers how many retries became due. */
  advance(endpoints: readonly PartitionedEndpoint[]): Promise<number>;
  /** An attempt was made here, and its outcome is stored. */
  attempted(delivery: Pick<OpenDelivery, "_id" | "endpointId">): void;
};

const MAX_PER_STEP = 50;

type Step = { deliveries: Place[]; atMs: number; open: Set<string> };

export function createRecovery({ deliveries, states, queues, onStepEnd, clock }: Deps): Recovery {
  const steps = new Map<string, Step>();

  async function nextStep(endpoint: PartitionedEndpoint): Promise<number> {
    const { endpointId } = endpoint;
    const step = steps.get(endpointId);
    if (step) {
      const last = await deliveries.load(step.deliveries);
      if (last.some((delivery) => isOpen(delivery, step.atMs))) return 0;
      steps.delete(endpointId);
      if (!last.some(({ status }) => status === "Delivered")) return end(endpointId);
    }
    const room = Math.min(MAX_PER_STEP, queues.room(endpointId, "attempt"));
    if (room <= 0) return 0;
    const atMs = clock.now();
    const pulled = await deliveries.pullForward(bothQueues(endpoint), atMs, room);
    const open = new Set(pulled.map(({ _id }) => _id));
    if (pulled.length > 0) steps.set(endpointId, { deliveries: pulled, atMs, open });
    if (pulled.length < room) await states.endRecovery(endpointId);
    return pulled.length;
  }

  async function end(endpointId: string): Promise<number> {
    await states.endRecovery(endpointId);
    return 0;
  }

  return {
    async advance(endpoints) {
      const current = new Set(endpoints.map(({ endpointId }) => endpointId));
      for (const endpointId of steps.keys()) if (!current.has(endpointId)) steps.delete(endpointId);
      let sum = 0;
      for (const endpoint of endpoints) sum += await nextStep(endpoint);
      return sum;
    },
    attempted({ _id, endpointId }) {
      const step = steps.get(endpointId);
      if (step?.open.delete(_id) && step.open.size === 0) onStepEnd();
    },
  };
}

/** A failed one waits for a later time, a delivered one for none. */
const isOpen = ({ status, nextAttemptAt }: OpenDelivery, atMs: number): boolean =>
  status === "Pending" && (nextAttemptAt?.getTime() ?? 0) <= atMs;
