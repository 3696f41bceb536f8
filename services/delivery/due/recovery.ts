/**
 * Makes the waiting retries of a healed endpoint due, step by step: the next step follows when every attempt of the
 * last one was made and some were delivered. An endpoint that fails again loses no more than one step.
 */
import type { Place } from "../../../shared/mongo/mongo.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { bothQueues, type PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { DueDeps } from "./due-deps.ts";

export type Recovery = ReturnType<typeof createRecovery>;

const MAX_PER_STEP = 50;

type Step = { deliveries: Place[]; atMs: number; open: Set<string> };

export function createRecovery({ runtime, deliveries, endpoints }: DueDeps, onStepEnd: () => void) {
  const { queues, states } = endpoints;
  const steps = new Map<string, Step>();

  async function nextStep(endpoint: PartitionedEndpoint): Promise<number> {
    const { endpointId } = endpoint;
    const step = steps.get(endpointId);
    if (step) {
      const last = await deliveries.load(step.deliveries);
      if (last.some((delivery) => isOpen(delivery, step.atMs))) return 0;
      steps.delete(endpointId);
      if (!last.some(({ status }) => status === "Delivered")) {
        await states.endRecovery(endpointId);
        return 0;
      }
    }
    const room = Math.min(MAX_PER_STEP, queues.room(endpointId, "attempt"));
    if (room <= 0) return 0;
    const atMs = runtime.clock.now();
    const pulled = await deliveries.pullForward(bothQueues(endpoint), atMs, room);
    const open = new Set(pulled.map(({ _id }) => _id));
    if (pulled.length > 0) steps.set(endpointId, { deliveries: pulled, atMs, open });
    if (pulled.length < room) await states.endRecovery(endpointId);
    return pulled.length;
  }

  return {
    /** Advances recovering endpoints; answers how many retries became due. */
    async advance(recovering: readonly PartitionedEndpoint[]): Promise<number> {
      const current = new Set(recovering.map(({ endpointId }) => endpointId));
      for (const endpointId of steps.keys()) if (!current.has(endpointId)) steps.delete(endpointId);
      let sum = 0;
      for (const endpoint of recovering) sum += await nextStep(endpoint);
      return sum;
    },
    /** An attempt was made here, and its outcome is stored. */
    attempted({ _id, endpointId }: Pick<OpenDelivery, "_id" | "endpointId">): void {
      const step = steps.get(endpointId);
      if (step?.open.delete(_id) && step.open.size === 0) onStepEnd();
    },
  };
}

/** A failed delivery waits for a later time, a delivered one for none. */
const isOpen = ({ status, nextAttemptAt }: OpenDelivery, atMs: number): boolean =>
  status === "Pending" && (nextAttemptAt?.getTime() ?? 0) <= atMs;
