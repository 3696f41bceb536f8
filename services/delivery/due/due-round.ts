/** One look at everything that waits: pauses, recoveries, endpoints disabled meanwhile, and what is due. */
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointStateRepository } from "../endpoint/endpoint-state.repository.ts";
import type { DeliveryRepository, QueueHead } from "../records/delivery.repository.ts";
import { type PublishDueDeps, publishDue } from "./publish-due.ts";
import type { Recovery } from "./recovery.ts";

export type DueRoundDeps = PublishDueDeps & {
  deliveries: Pick<DeliveryRepository, "queueHeads">;
  states: Pick<EndpointStateRepository, "current">;
  pauses: EndpointPauses;
  recovery: Pick<Recovery, "advance">;
  /** Finds endpoints that were disabled without notice to this process. */
  giveUpDisabled(heads: readonly QueueHead[]): Promise<void>;
  observe(heads: readonly QueueHead[]): Promise<void>;
  /** While the broker is away nothing is claimed: it would be kept from others until its lease ends. */
  canPublish(): boolean;
};

/** From so many on, another round at once is worth it; fewer belong to slow endpoints. */
const WORTH_A_ROUND = 16;

/** Answers whether there may be more to do at once. */
export async function dueRound(deps: DueRoundDeps): Promise<boolean> {
  const { states, pauses, deliveries, clock } = deps;
  const current = await states.current(clock.now());
  pauses.refresh(current);
  const recovering = current.filter(({ recoveringSince }) => recoveringSince !== null);
  const pulled = await deps.recovery.advance(
    recovering.map(({ _id }) => _id).filter((id) => pauses.until(id) === null),
  );
  const heads = await deliveries.queueHeads();
  const published = deps.canPublish() ? await publishDue(deps, heads) : 0;
  await deps.giveUpDisabled(heads);
  await deps.observe(heads);
  return pulled + published >= WORTH_A_ROUND;
}
