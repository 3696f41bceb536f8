/** Loads what the attempts of a batch need: bodies and endpoints, each with one query for all. */
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { EndpointDirectory } from "../endpoint/endpoint-directory.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { EventContent, EventRepository } from "../records/event.repository.ts";

/** A delivery as it was just planned or claimed; whoever planned it has the content at hand. */
export type DueAttempt = { delivery: OpenDelivery; content?: EventContent };

export type LoadedAttempt = {
  delivery: OpenDelivery;
  endpoint: DeliveryEndpoint | null;
  content: EventContent | undefined;
};

export type LoadDeps = {
  events: Pick<EventRepository, "contents">;
  directory: Pick<EndpointDirectory, "find">;
};

export async function loadAttempts(
  { events, directory }: LoadDeps,
  due: readonly DueAttempt[],
): Promise<LoadedAttempt[]> {
  const partners = [...new Set(due.map(({ delivery }) => delivery.partnerId))];
  const unread = due.filter(({ content }) => !content).map(({ delivery }) => eventOf(delivery));
  const [contents, endpoints] = await Promise.all([
    unread.length > 0 ? events.contents(unread) : [],
    Promise.all(partners.map((partnerId) => directory.find(partnerId))),
  ]);
  const contentOf = new Map(contents.map((content) => [content._id, content]));
  const endpointOf = new Map(partners.map((partnerId, index) => [partnerId, endpoints[index] ?? null]));
  return due.map(({ delivery, content = contentOf.get(delivery.eventId) }) => ({
    delivery,
    content,
    endpoint: endpointOf.get(delivery.partnerId) ?? null,
  }));
}

const eventOf = ({ eventId, partnerId }: OpenDelivery) => ({ _id: eventId, partnerId });
