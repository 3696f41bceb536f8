/** A check of this process's partitions: pauses, recoveries, disabled endpoints, due deliveries. */
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointState } from "../endpoint/endpoint-state.model.ts";
import type { EndpointStateRepository } from "../endpoint/endpoint-state.repository.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import type { QueueHead } from "../records/queue-heads.repository.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { Recovery } from "./recovery.ts";
import { type TakeDueDeps, takeDue } from "./take-due.ts";

export type DueRoundDeps = TakeDueDeps & {
  partitions: Pick<EndpointPartitions, "held">;
  deliveries: Pick<DeliveryRepository, "queueHeads">;
  states: Pick<EndpointStateRepository, "current">;
  pauses: EndpointPauses;
  recovery: Pick<Recovery, "advance">;
  /** Finds endpoints that were disabled without notice to this process. */
  exhaustDisabled(heads: readonly QueueHead[]): Promise<void>;
  observe(heads: readonly QueueHead[]): Promise<void>;
  /** While the broker is away the registry cannot be asked for endpoints: what is due stays where it is. */
  canAsk(): boolean;
};

/** From this many on another round follows immediately; fewer belong to slow endpoints. */
const WORTH_A_ROUND = 16;

export type Seen = {
  /** More work may be due already. */
  hasMore: boolean;
  /** When the next is due, as far as was seen; the past for what could not be taken yet. */
  nextAtMs: number;
};

export async function dueRound(deps: DueRoundDeps): Promise<Seen> {
  const { states, pauses, deliveries, clock } = deps;
  const held = deps.partitions.held();
  if (held.length === 0) {
    await deps.observe([]);
    return { hasMore: false, nextAtMs: Number.POSITIVE_INFINITY };
  }
  const current = await states.current(held, clock.now());
  pauses.refresh(current);
  const recovering = recoveringIn(current).filter(({ endpointId }) => pauses.until(endpointId) === null);
  const pulled = await deps.recovery.advance(recovering);
  const heads = await deliveries.queueHeads(held);
  const taken = deps.canAsk() ? await takeDue(deps, heads) : 0;
  await deps.exhaustDisabled(heads);
  await deps.observe(heads);
  // A recovery waits for room in a queue, which no record shows.
  const nextAtMs = recovering.length > 0 ? 0 : earliestOf(heads);
  return { hasMore: pulled + taken >= WORTH_A_ROUND, nextAtMs };
}

const earliestOf = (heads: readonly QueueHead[]): number =>
  heads.reduce((least, { claimableAt }) => Math.min(least, claimableAt.getTime()), Number.POSITIVE_INFINITY);

const recoveringIn = (states: readonly EndpointState[]): PartitionedEndpoint[] =>
  states.flatMap(({ _id: endpointId, partition, recoveringSince }) =>
    partition !== undefined && recoveringSince ? [{ endpointId, partition }] : [],
  );
