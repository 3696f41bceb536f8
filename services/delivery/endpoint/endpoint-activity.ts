/** What the workers know of an endpoint, for the person who looks after it. */

import type { Clock } from "../../../shared/clock.ts";
import type { EndpointActivity } from "../../../shared/contract/answers/endpoint.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { bothQueues, type EndpointPlace } from "../records/queue-name.rules.ts";
import type { EndpointStateRepository } from "./endpoint-state.repository.ts";
import type { EndpointTimesRepository } from "./endpoint-times.repository.ts";

type Deps = {
  times: Pick<EndpointTimesRepository, "find">;
  states: Pick<EndpointStateRepository, "pausedUntil">;
  deliveries: Pick<DeliveryRepository, "countWaiting">;
  clock: Clock;
};

const COUNTED_UP_TO = 10_000;

export async function endpointActivity(
  { times, states, deliveries, clock }: Deps,
  { partnerId, ...place }: EndpointPlace & { partnerId: string },
): Promise<EndpointActivity> {
  const { endpointId } = place;
  const [known, pausedUntil, ...waiting] = await Promise.all([
    times.find(endpointId),
    states.pausedUntil(endpointId),
    ...bothQueues(place).map((queue) => deliveries.countWaiting(partnerId, queue, COUNTED_UP_TO)),
  ]);
  const isPaused = pausedUntil !== null && pausedUntil.getTime() > clock.now();
  return {
    lastSuccessAt: known?.lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: known?.lastFailureAt?.toISOString() ?? null,
    pausedUntil: isPaused ? pausedUntil.toISOString() : null,
    waiting: Math.min(
      COUNTED_UP_TO,
      waiting.reduce((sum, each) => sum + each, 0),
    ),
  };
}
