/** Records events and plans one delivery for each that has a live endpoint. Repeating it changes nothing. */
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import { type EndpointDirectory, isLive } from "../endpoint/endpoint-directory.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { firstDelivery } from "../records/delivery.rules.ts";
import type { EventRecord } from "../records/event.model.ts";
import type { EventRepository } from "../records/event.repository.ts";
import type { NewEvent } from "../records/event.rules.ts";
import type { RecentDeliveries } from "../records/recent-deliveries.ts";
import { firstDelayMs } from "../records/retry.rules.ts";

export type PlanDeps = {
  events: Pick<EventRepository, "record" | "routes">;
  deliveries: Pick<DeliveryRepository, "insert">;
  directory: Pick<EndpointDirectory, "find">;
  pauses: Pick<EndpointPauses, "until">;
  queues: Pick<EndpointQueues, "room">;
  publish(due: readonly DeliveryRecord[]): Promise<void>;
  recent: Pick<RecentDeliveries, "remember">;
  /** Some wait in the database until their endpoint has room. */
  onWaiting(): void;
  clock: Clock;
  config: Pick<Config, "retrySchedule" | "deliveryLeaseMs">;
};

type RoutedEvent = EventRecord & { endpointId: string };

export async function planDeliveries(
  deps: PlanDeps,
  events: readonly NewEvent[],
): Promise<{ recorded: number }> {
  const routed = await route(deps, events);
  const known = await deps.events.record(routed);
  const plannable = await withFirstRoutes(deps, routed, known);
  const { atOnce, later } = placeAll(deps, plannable);
  const before = await deps.deliveries.insert([...atOnce, ...later]);
  if (before.size === 0) rememberAll(deps, plannable, atOnce);
  // Also those planned before: that process may have died before it published them.
  await deps.publish(atOnce);
  if (later.length > 0) deps.onWaiting();
  return { recorded: events.length - known.size };
}

async function route({ directory }: PlanDeps, events: readonly NewEvent[]): Promise<EventRecord[]> {
  const partners = [...new Set(events.map(({ partnerId }) => partnerId))];
  const found = await Promise.all(partners.map((partnerId) => directory.find(partnerId)));
  const endpoints = new Map(partners.map((partnerId, i) => [partnerId, found[i] ?? null]));
  return events.map((event) => {
    const endpoint = endpoints.get(event.partnerId) ?? null;
    return { ...event, endpointId: isLive(endpoint) ? endpoint.endpointId : null };
  });
}

/** Where an event goes is decided once, when it is recorded. */
async function withFirstRoutes(
  { events }: PlanDeps,
  routed: readonly EventRecord[],
  known: ReadonlyMap<number, string>,
): Promise<RoutedEvent[]> {
  const before = routed.filter((_, index) => known.has(index)).map(({ _id }) => _id);
  const stored = before.length > 0 ? await events.routes(before) : new Map<string, string | null>();
  return routed
    .map((event) => ({
      ...event,
      endpointId: stored.has(event._id) ? stored.get(event._id) : event.endpointId,
    }))
    .filter((event): event is RoutedEvent => typeof event.endpointId === "string");
}

function rememberAll(
  { recent }: PlanDeps,
  events: readonly RoutedEvent[],
  deliveries: readonly DeliveryRecord[],
): void {
  const byId = new Map(events.map((event) => [event._id, event]));
  for (const delivery of deliveries) {
    const event = byId.get(delivery.eventId);
    if (event) recent.remember(delivery, event);
  }
}

/** An endpoint gets what it can take at once; the rest waits in the database. */
function placeAll(deps: PlanDeps, events: readonly RoutedEvent[]) {
  const { clock, config, pauses, queues } = deps;
  const now = clock.now();
  const atOnce: DeliveryRecord[] = [];
  const later: DeliveryRecord[] = [];
  for (const [endpointId, ofEndpoint] of Map.groupBy(events, (event) => event.endpointId)) {
    const nextAttemptAtMs = Math.max(now + firstDelayMs(config.retrySchedule), pauses.until(endpointId) ?? 0);
    const room = nextAttemptAtMs > now ? 0 : Math.max(0, queues.room(endpointId, "attempt"));
    const times = { endpointId, createdAtMs: now, nextAttemptAtMs };
    const taken = { ...times, claimableAtMs: now + config.deliveryLeaseMs };
    const waiting = { ...times, claimableAtMs: nextAttemptAtMs };
    atOnce.push(...ofEndpoint.slice(0, room).map((event) => firstDelivery(event, taken)));
    later.push(...ofEndpoint.slice(room).map((event) => firstDelivery(event, waiting)));
  }
  return { atOnce, later };
}
