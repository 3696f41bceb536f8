/** The latest outcomes, the pause and the backlog of an endpoint, for the dashboard. */
import type { Clock } from "../../../shared/clock.ts";
import type { EndpointActivity } from "../../../shared/contract/answers/endpoint.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { bothQueues, type PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { EndpointStateRepository } from "./endpoint-state.repository.ts";

type Deps = {
  states: Pick<EndpointStateRepository, "find">;
  deliveries: Pick<DeliveryRepository, "countWaiting">;
  clock: Clock;
};

const COUNTED_UP_TO = 10_000;

export async function endpointActivity(
  { states, deliveries, clock }: Deps,
  partnerId: string,
  endpoint: PartitionedEndpoint,
): Promise<EndpointActivity> {
  const [state, ...waiting] = await Promise.all([
    states.find(endpoint.endpointId),
    ...bothQueues(endpoint).map((queue) => deliveries.countWaiting(partnerId, queue, COUNTED_UP_TO)),
  ]);
  const pausedUntil = state?.pausedUntil;
  const isPaused = pausedUntil && pausedUntil.getTime() > clock.now();
  return {
    lastSuccessAt: state?.lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: state?.lastFailureAt?.toISOString() ?? null,
    pausedUntil: isPaused ? pausedUntil.toISOString() : null,
    waiting: Math.min(
      COUNTED_UP_TO,
      waiting.reduce((sum, each) => sum + each, 0),
    ),
  };
}
