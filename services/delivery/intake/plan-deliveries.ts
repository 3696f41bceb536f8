/** Records events and plans one delivery for each that has a live endpoint. Repeating it changes nothing. */
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import { type EndpointDirectory, isLive } from "../endpoint/endpoint-directory.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointPauses } from "../endpoint/endpoint-pauses.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { firstDelivery } from "../records/delivery.rules.ts";
import type { EventRecord } from "../records/event.model.ts";
import type { EventRepository } from "../records/event.repository.ts";
import type { NewEvent } from "../records/event.rules.ts";
import { firstDelayMs } from "../records/retry.rules.ts";
import type { FeedOrder } from "./feed-order.ts";

export type PlanDeps = {
  events: Pick<EventRepository, "record" | "routes">;
  feedOrder: FeedOrder;
  deliveries: Pick<DeliveryRepository, "insert">;
  directory: Pick<EndpointDirectory, "find">;
  pauses: Pick<EndpointPauses, "until">;
  queues: Pick<EndpointQueues, "room">;
  partitions: Pick<EndpointPartitions, "placeOf">;
  handOver: {
    leaseMs(partnerId: string): number | null;
    give(planned: readonly { delivery: DeliveryRecord; content: EventRecord }[]): void;
    giveBack(planned: readonly { delivery: DeliveryRecord }[]): void;
  };
  /** Some of this partner wait in the database until their endpoint has room. */
  onWaiting(partnerId: string): void;
  clock: Clock;
  config: Pick<Config, "retrySchedule">;
};

type RoutedEvent = EventRecord & { endpointId: string };

export async function planDeliveries(
  deps: PlanDeps,
  events: readonly NewEvent[],
): Promise<{ recorded: number }> {
  const arranged = await deps.feedOrder.arrange(await route(deps, events));
  const routed = arranged.events;
  const known = await deps.events.record(routed, arranged.waiting);
  await deps.feedOrder.recorded(arranged, known);
  const plannable = await withFirstRoutes(deps, routed, known);
  const { atOnce, later } = placeAll(deps, plannable);
  const before = await deps.deliveries.insert([...atOnce.map(({ delivery }) => delivery), ...later]);
  deps.handOver.give(atOnce.filter((_, index) => !before.has(index)));
  // Planned before: by a process that died, by a try of this one whose answer was lost, or in good hands.
  deps.handOver.giveBack(atOnce.filter((_, index) => before.has(index)));
  for (const partnerId of new Set(later.map((delivery) => delivery.partnerId))) deps.onWaiting(partnerId);
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
  if (known.size === 0) return routed.filter(isRouted);
  const stored = await events.routes(routed.filter((_, index) => known.has(index)));
  return routed
    .map((event) => (stored.has(event._id) ? { ...event, endpointId: stored.get(event._id) ?? null } : event))
    .filter(isRouted);
}

const isRouted = (event: EventRecord): event is RoutedEvent => event.endpointId !== null;

/** An endpoint gets what it can take at once; the rest waits in the database. */
function placeAll(deps: PlanDeps, events: readonly RoutedEvent[]) {
  const now = deps.clock.now();
  const atOnce: { delivery: DeliveryRecord; content: RoutedEvent }[] = [];
  const later: DeliveryRecord[] = [];
  for (const ofEndpoint of Map.groupBy(events, ({ endpointId }) => endpointId).values()) {
    const { times, room, leaseMs } = placeFor(deps, ofEndpoint[0] as RoutedEvent, now);
    const taken = { ...times, claimableAtMs: now + leaseMs };
    const waiting = { ...times, claimableAtMs: times.nextAttemptAtMs };
    for (const [index, content] of ofEndpoint.entries())
      if (index < room) atOnce.push({ delivery: firstDelivery(content, taken), content });
      else later.push(firstDelivery(content, waiting));
  }
  return { atOnce, later };
}

function placeFor(
  { config, pauses, queues, partitions, handOver }: PlanDeps,
  { endpointId, partnerId }: RoutedEvent,
  now: number,
) {
  const nextAttemptAtMs = Math.max(now + firstDelayMs(config.retrySchedule), pauses.until(endpointId) ?? 0);
  const leaseMs = handOver.leaseMs(partnerId);
  const isNow = nextAttemptAtMs <= now && leaseMs !== null;
  return {
    times: { ...partitions.placeOf({ endpointId, partnerId }), createdAtMs: now, nextAttemptAtMs },
    room: isNow ? queues.room(endpointId, "attempt") : 0,
    leaseMs: leaseMs ?? 0,
  };
}
