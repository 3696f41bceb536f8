/** The latest outcomes, the pause and the backlog of an endpoint, for the dashboard. */
import type { Clock } from "../../../shared/clock.ts";
import type { EndpointActivity } from "../../../shared/contract/answers/endpoint.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { bothQueues } from "../records/queue-name.rules.ts";
import type { Endpoints } from "./endpoints.ts";

type Deps = { endpoints: Endpoints; deliveries: DeliveryRepository; clock: Clock };

const COUNTED_UP_TO = 10_000;

export async function endpointActivity(
  { endpoints: { partitions, states }, deliveries, clock }: Deps,
  endpoint: { endpointId: string; partnerId: string },
): Promise<EndpointActivity> {
  const [state, ...waiting] = await Promise.all([
    states.find(endpoint.endpointId),
    ...bothQueues(partitions.locate(endpoint)).map((queue) =>
      deliveries.countWaiting(endpoint.partnerId, queue, COUNTED_UP_TO),
    ),
  ]);
  const pausedUntil = state?.pausedUntil;
  const isPaused = pausedUntil && pausedUntil.getTime() > clock.now();
  const sum = waiting.reduce((all, each) => all + each, 0);
  return {
    lastSuccessAt: state?.lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: state?.lastFailureAt?.toISOString() ?? null,
    pausedUntil: isPaused ? pausedUntil.toISOString() : null,
    waiting: Math.min(COUNTED_UP_TO, sum),
  };
}
