/** A check of this process's partitions: pauses, recoveries, disabled endpoints, due deliveries. */
import type { EndpointState } from "../endpoint/endpoint-state.model.ts";
import type { QueueHead } from "../records/queue-heads.repository.ts";
import { type PartitionedEndpoint, parseQueue } from "../records/queue-name.rules.ts";
import type { DueDeps } from "./due-deps.ts";
import type { DisabledEndpoints } from "./exhaust-disabled.ts";
import type { Recovery } from "./recovery.ts";
import { takeDue } from "./take-due.ts";

/** From this many on another round follows immediately; fewer belong to slow endpoints. */
const WORTH_A_ROUND = 16;
const GAUGES_EVERY_MS = 5_000;
const COUNT_LIMIT = 10_000;

/** `nextAtMs` is when the next delivery is due. It is in the past if the delivery could not be taken yet. */
export function createDueRound(
  deps: DueDeps,
  recovery: Pick<Recovery, "advance">,
  disabled: Pick<DisabledEndpoints, "check">,
): () => Promise<{ hasMore: boolean; nextAtMs: number }> {
  const { clock, jetstream } = deps.runtime;
  const { partitions, pauses, states } = deps.endpoints;
  const observe = dueObserver(deps);

  return async () => {
    const held = partitions.held();
    if (held.length === 0) {
      await observe([]);
      return { hasMore: false, nextAtMs: Number.POSITIVE_INFINITY };
    }
    const current = await states.current(held, clock.now());
    pauses.refresh(current);
    const recovering = recoveringIn(current).filter(({ endpointId }) => pauses.until(endpointId) === null);
    const pulled = await recovery.advance(recovering);
    const heads = await deps.deliveries.queueHeads(held);
    // Without the broker the registry cannot be asked for endpoints: due deliveries stay in the database.
    const taken = jetstream.connected() ? await takeDue(deps, heads) : 0;
    await disabled.check(heads);
    await observe(heads);
    // A recovery waits for room in a queue, which no record shows.
    const nextAtMs = recovering.length > 0 ? 0 : earliestOf(heads);
    return { hasMore: pulled + taken >= WORTH_A_ROUND, nextAtMs };
  };
}

const earliestOf = (heads: readonly QueueHead[]): number =>
  heads.reduce((least, { claimableAt }) => Math.min(least, claimableAt.getTime()), Number.POSITIVE_INFINITY);

const recoveringIn = (states: readonly EndpointState[]): PartitionedEndpoint[] =>
  states.flatMap(({ _id: endpointId, partition, recoveringSince }) =>
    partition !== undefined && recoveringSince ? [{ endpointId, partition }] : [],
  );

/** Gauges of what waits to be sent in this process's partitions; those of all processes add up. */
export function dueObserver({ runtime: { clock, metrics }, deliveries, endpoints }: DueDeps) {
  let nextAt = 0;
  return async (heads: readonly QueueHead[]): Promise<void> => {
    const now = clock.now();
    metrics.set("pbo_delivery_in_hand", endpoints.queues.held());
    const isDue = ({ queue, claimableAt }: QueueHead) =>
      claimableAt.getTime() <= now && endpoints.pauses.until(parseQueue(queue).endpointId) === null;
    const due = heads.filter(isDue);
    const oldest = due.reduce((least, { claimableAt }) => Math.min(least, claimableAt.getTime()), now);
    metrics.set("pbo_delivery_oldest_due_age_seconds", (now - oldest) / 1_000);
    if (now < nextAt) return;
    nextAt = now + GAUGES_EVERY_MS;
    const queueNames = due.map(({ queue }) => queue);
    const count = due.length > 0 ? await deliveries.countDue(queueNames, now, COUNT_LIMIT) : 0;
    metrics.set("pbo_delivery_due", count);
  };
}
