/** Records events and plans one delivery for each that has a live endpoint. Repeating it changes nothing. */
import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../../shared/config.ts";
import type { DeliveryRepository } from "./delivery.repository.ts";
import { firstDelivery } from "./delivery.rules.ts";
import { type EndpointDirectory, isLive } from "./endpoint-directory.ts";
import type { EndpointPauses } from "./endpoint-pauses.ts";
import type { EventRecord } from "./event.model.ts";
import type { EventRepository } from "./event.repository.ts";
import type { NewEvent } from "./event.rules.ts";
import { firstDelayMs } from "./retry.rules.ts";

export type PlanPorts = {
  events: Pick<EventRepository, "record" | "routes">;
  deliveries: Pick<DeliveryRepository, "insert">;
  directory: Pick<EndpointDirectory, "find">;
  pauses: Pick<EndpointPauses, "until">;
  publish(due: readonly ReturnType<typeof firstDelivery>[]): Promise<void>;
  clock: Clock;
  config: Pick<Config, "retrySchedule" | "deliveryLeaseMs">;
};

type RoutedEvent = EventRecord & { endpointId: string };

export async function planDeliveries(
  ports: PlanPorts,
  events: readonly NewEvent[],
): Promise<{ recorded: number }> {
  const routed = await route(ports, events);
  const known = await ports.events.record(routed);
  const plannable = await withFirstRoutes(ports, routed, known);
  const deliveries = plannable.map((event) => planFirst(ports, event));
  await ports.deliveries.insert(deliveries);
  const now = ports.clock.now();
  // Also those planned before: the process that did it may have died before it could publish.
  await ports.publish(deliveries.filter(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) <= now));
  return { recorded: events.length - known.size };
}

async function route({ directory }: PlanPorts, events: readonly NewEvent[]): Promise<EventRecord[]> {
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
  { events }: PlanPorts,
  routed: readonly EventRecord[],
  known: ReadonlySet<number>,
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

function planFirst({ clock, config, pauses }: PlanPorts, event: RoutedEvent) {
  const now = clock.now();
  const { endpointId } = event;
  const nextAttemptAtMs = Math.max(now + firstDelayMs(config.retrySchedule), pauses.until(endpointId) ?? 0);
  const isPublished = nextAttemptAtMs <= now;
  const claimableAtMs = isPublished ? now + config.deliveryLeaseMs : nextAttemptAtMs;
  return firstDelivery(event, { endpointId, createdAtMs: now, nextAttemptAtMs, claimableAtMs });
}
