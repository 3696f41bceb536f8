/** One look at everything that waits: pauses, recoveries, endpoints disabled meanwhile, and what is due. */
import type { DeliveryRepository, QueueHead } from "./delivery.repository.ts";
import type { EndpointPauses } from "./endpoint-pauses.ts";
import type { EndpointState } from "./endpoint-state.model.ts";
import type { EndpointStateRepository } from "./endpoint-state.repository.ts";
import { type PublishDuePorts, publishDue } from "./publish-due.ts";
import { bothQueues } from "./queue-name.rules.ts";

export type DueRoundPorts = PublishDuePorts & {
  deliveries: Pick<DeliveryRepository, "pullForward" | "queueHeads">;
  states: Pick<EndpointStateRepository, "current" | "endRecovery">;
  pauses: EndpointPauses;
  /** Endpoints disabled without this process hearing of it. */
  giveUpDisabled(heads: readonly QueueHead[]): Promise<void>;
  observe(heads: readonly QueueHead[]): Promise<void>;
  /** While the broker is away nothing is taken, because it would be kept from others until its lease is over. */
  canPublish(): boolean;
};

/** Made due in steps: the first failure ends the recovery, and only these have spent an attempt on it. */
const RECOVER_PER_ROUND = 50;

/** So many at once come from an endpoint that takes more than a poll brings; a few are those of a slow one. */
const WORTH_A_ROUND = 16;

/** Answers whether there may be more to do at once. */
export async function dueRound(ports: DueRoundPorts): Promise<boolean> {
  const { states, pauses, deliveries, clock } = ports;
  const current = await states.current(clock.now());
  pauses.refresh(current);
  const pulled = await recoverAll(ports, current);
  const heads = await deliveries.queueHeads();
  const published = ports.canPublish() ? await publishDue(ports, heads) : 0;
  await ports.giveUpDisabled(heads);
  await ports.observe(heads);
  return pulled + published >= WORTH_A_ROUND;
}

async function recoverAll(ports: DueRoundPorts, current: readonly EndpointState[]): Promise<number> {
  let sum = 0;
  for (const { _id, recoveringSince } of current)
    if (recoveringSince && ports.pauses.until(_id) === null) sum += await recover(ports, _id);
  return sum;
}

/** The next step waits until the endpoint has taken the last one. */
async function recover(
  { deliveries, states, queues, clock }: DueRoundPorts,
  endpointId: string,
): Promise<number> {
  const room = Math.min(RECOVER_PER_ROUND, queues.room(endpointId, "attempt"));
  if (room <= 0) return 0;
  const pulled = await deliveries.pullForward(bothQueues(endpointId), clock.now(), room);
  if (pulled < room) await states.endRecovery(endpointId);
  return pulled;
}
