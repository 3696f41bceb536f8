/** Loads what the attempts of a batch need: deliveries, bodies and endpoints, each with one query for all. */
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";
import type { StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import type { EndpointDirectory } from "../endpoint/endpoint-directory.ts";
import type { DeliveryRepository, OpenDelivery } from "../records/delivery.repository.ts";
import type { HandedOver } from "../records/delivery-update.rules.ts";
import type { EventContent, EventRepository } from "../records/event.repository.ts";
import type { RecentDeliveries, RecentDelivery } from "../records/recent-deliveries.ts";

export type AskedAttempts = { message: StreamMessage; refs: readonly HandedOver[] };

export type LoadedAttempt = {
  delivery: OpenDelivery;
  endpoint: DeliveryEndpoint | null;
  content: EventContent | undefined;
};

export type LoadDeps = {
  deliveries: Pick<DeliveryRepository, "load">;
  events: Pick<EventRepository, "contents">;
  directory: Pick<EndpointDirectory, "find">;
  recent: Pick<RecentDeliveries, "take">;
};

/** By delivery id. */
export async function loadAttempts(
  { deliveries, events, directory, recent }: LoadDeps,
  asked: readonly AskedAttempts[],
): Promise<ReadonlyMap<string, LoadedAttempt>> {
  const known: RecentDelivery[] = [];
  const unknown: string[] = [];
  for (const { message, refs } of asked)
    for (const { deliveryId, attemptNo, claim } of refs) {
      const isFirstMessage = message.deliveryCount === 1 && attemptNo === 1 && claim === null;
      const planned = isFirstMessage ? recent.take(deliveryId) : null;
      if (planned) known.push(planned);
      else unknown.push(deliveryId);
    }
  const found = unknown.length > 0 ? await deliveries.load(unknown) : [];
  const pending = found.filter(({ status }) => status === "Pending");
  const open = [...known.map(({ delivery }) => delivery), ...pending];
  const partners = [...new Set(open.map(({ partnerId }) => partnerId))];
  const [contents, endpoints] = await Promise.all([
    pending.length > 0 ? events.contents([...new Set(pending.map(({ eventId }) => eventId))]) : [],
    Promise.all(partners.map((partnerId) => directory.find(partnerId))),
  ]);
  const contentOf = new Map(contents.map((content) => [content._id, content]));
  const endpointOf = new Map(partners.map((partnerId, index) => [partnerId, endpoints[index] ?? null]));
  const withEndpoint = (
    delivery: OpenDelivery,
    content: EventContent | undefined,
  ): [string, LoadedAttempt] => [
    delivery._id,
    { delivery, content, endpoint: endpointOf.get(delivery.partnerId) ?? null },
  ];
  return new Map([
    ...known.map(({ delivery, content }) => withEndpoint(delivery, content)),
    ...found.map((delivery) => withEndpoint(delivery, contentOf.get(delivery.eventId))),
  ]);
}
