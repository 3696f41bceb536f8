/** Events recorded as unrouted although their endpoint was live by then: found by a sweep, and sent after all. */
import type { Clock } from "../../../shared/clock.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import { EVENT_RETENTION_MS } from "../../../shared/contract/durations.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { type DeliverableEvent, dueAt, firstDelivery } from "../records/delivery.rules.ts";
import type { EventRepository } from "../records/event.repository.ts";

export type RouteDeps = {
  events: Pick<EventRepository, "route">;
  deliveries: Pick<DeliveryRepository, "insert">;
  partitions: Pick<EndpointPartitions, "locate">;
  /** Deliveries of this partner wait to be sent. */
  onWaiting(partnerId: string): void;
  clock: Clock;
};

export type RouteLateDeps = RouteDeps & {
  events: Pick<EventRepository, "unroutedPartners" | "unrouted">;
  /** Asks the registry: a cached endpoint may be disabled by now. */
  lookUp(partnerId: string): Promise<DeliveryEndpoint | null>;
  logger: Logger;
};

const PARTNERS_PER_STEP = 20;
const EVENTS_PER_STEP = 500;
/** An event recorded after the lookup may find the endpoint disabled; clocks differ by less than this. */
const SETTLED_MS = 10_000;

/** Each round checks some partners, in turn; answers whether others remain. */
export function createLateRouting(deps: RouteLateDeps): () => Promise<boolean> {
  let partners: string[] = [];
  return async () => {
    if (partners.length === 0) partners = await deps.events.unroutedPartners();
    const some = partners.splice(0, PARTNERS_PER_STEP);
    const hasMore = await Promise.all(some.map((partnerId) => routeLate(deps, partnerId)));
    partners.push(...some.filter((_, index) => hasMore[index]));
    return partners.length > 0;
  };
}

async function routeLate(deps: RouteLateDeps, partnerId: string): Promise<boolean> {
  const { events, clock, logger } = deps;
  const now = clock.now();
  const endpoint = await deps.lookUp(partnerId);
  if (!isLive(endpoint)) return false;
  const { endpointId, liveSince } = endpoint;
  // Events recorded while it was Disabled stay unrouted: a person decides whether to replay them.
  const from = Math.max(Date.parse(liveSince), now - EVENT_RETENTION_MS);
  const recorded = { from: new Date(from), before: new Date(now - SETTLED_MS) };
  const late = await events.unrouted(partnerId, recorded, EVENTS_PER_STEP);
  if (late.length === 0) return false;
  const routed = await routeTo(deps, late, { endpointId, partnerId });
  if (routed > 0) logger.warn({ partnerId, endpointId, events: routed }, "events.routed_late");
  return late.length === EVENTS_PER_STEP;
}

/** Sends recorded events that were sent nowhere; answers how many still were. */
export async function routeTo(
  { events, deliveries, partitions, onWaiting, clock }: RouteDeps,
  unrouted: readonly DeliverableEvent[],
  endpoint: { endpointId: string; partnerId: string },
): Promise<number> {
  const now = clock.now();
  const target = partitions.locate(endpoint);
  // The delivery first: a process that dies in between leaves the event to be found again, and its delivery has one id.
  await deliveries.insert(unrouted.map((event) => firstDelivery(event, { ...target, ...dueAt(now) })));
  const routed = await events.route(unrouted, endpoint.endpointId);
  onWaiting(endpoint.partnerId);
  return routed;
}
