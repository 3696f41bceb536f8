/** Records events and schedules a delivery for each that has a live endpoint. Repeating it changes nothing. */
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import { isLive } from "../endpoint/endpoint-directory.ts";
import type { Endpoints } from "../endpoint/endpoints.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { firstDelivery } from "../records/delivery.rules.ts";
import type { EventRecord } from "../records/event.model.ts";
import type { EventRepository } from "../records/event.repository.ts";
import type { NewEvent } from "../records/event.rules.ts";
import { firstDelayMs } from "../records/retry.rules.ts";
import type { RecordInOrder } from "./feed-order.ts";

export type ScheduleDeps = {
  runtime: Pick<ServiceRuntime, "clock" | "config">;
  record: RecordInOrder;
  events: EventRepository;
  deliveries: DeliveryRepository;
  endpoints: Endpoints;
  handOver: {
    leaseMs(partnerId: string): number | null;
    give(scheduled: readonly { delivery: DeliveryRecord; content: EventRecord }[]): void;
    giveBack(scheduled: readonly { delivery: DeliveryRecord }[]): void;
  };
  /** Deliveries of this partner wait in the database until their endpoint has room. */
  onWaiting(partnerId: string): void;
};

type RoutedEvent = EventRecord & { endpointId: string };

export async function scheduleDeliveries(
  deps: ScheduleDeps,
  events: readonly NewEvent[],
): Promise<{ recorded: number }> {
  const { events: routed, known } = await deps.record(await route(deps, events));
  const withRoutes = await withFirstRoutes(deps, routed, known);
  const { immediate, later } = splitByRoom(deps, withRoutes);
  const before = await deps.deliveries.insert([...immediate.map(({ delivery }) => delivery), ...later]);
  deps.handOver.give(immediate.filter((_, index) => !before.has(index)));
  // Already scheduled, by this process or another: made due; if it is in flight, nothing happens.
  deps.handOver.giveBack(immediate.filter((_, index) => before.has(index)));
  for (const partnerId of new Set(later.map((delivery) => delivery.partnerId))) deps.onWaiting(partnerId);
  return { recorded: events.length - known.size };
}

async function route(
  { endpoints: { directory } }: ScheduleDeps,
  events: readonly NewEvent[],
): Promise<EventRecord[]> {
  const partners = [...new Set(events.map(({ partnerId }) => partnerId))];
  const found = await Promise.all(partners.map((partnerId) => directory.find(partnerId)));
  const endpointOf = new Map(partners.map((partnerId, i) => [partnerId, found[i] ?? null]));
  return events.map((event) => {
    const endpoint = endpointOf.get(event.partnerId) ?? null;
    return { ...event, endpointId: isLive(endpoint) ? endpoint.endpointId : null };
  });
}

/** The route of an event is decided once, when it is recorded. */
async function withFirstRoutes(
  { events }: ScheduleDeps,
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

/** An endpoint gets the deliveries that it has room for; the others wait in the database. */
function splitByRoom({ runtime, endpoints, handOver }: ScheduleDeps, events: readonly RoutedEvent[]) {
  const { partitions, pauses, queues } = endpoints;
  const now = runtime.clock.now();
  const firstAttemptMs = now + firstDelayMs(runtime.config.retrySchedule);
  const immediate: { delivery: DeliveryRecord; content: RoutedEvent }[] = [];
  const later: DeliveryRecord[] = [];
  for (const [endpointId, ofEndpoint] of Map.groupBy(events, (event) => event.endpointId)) {
    const { partnerId } = ofEndpoint[0] as RoutedEvent;
    const nextAttemptAtMs = Math.max(firstAttemptMs, pauses.until(endpointId) ?? 0);
    const lease = nextAttemptAtMs <= now ? handOver.leaseMs(partnerId) : null;
    const [leaseMs, room] = lease === null ? [0, 0] : [lease, queues.room(endpointId, "attempt")];
    const times = { ...partitions.locate({ endpointId, partnerId }), createdAtMs: now, nextAttemptAtMs };
    const taken = { ...times, claimableAtMs: now + leaseMs };
    const waiting = { ...times, claimableAtMs: nextAttemptAtMs };
    for (const [index, content] of ofEndpoint.entries())
      if (index < room) immediate.push({ delivery: firstDelivery(content, taken), content });
      else later.push(firstDelivery(content, waiting));
  }
  return { immediate, later };
}
