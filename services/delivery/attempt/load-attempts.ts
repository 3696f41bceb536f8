/** Loads the bodies and endpoints of a batch of attempts, each with one query for all. */
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { EventContent } from "../records/event.repository.ts";
import type { AttemptDeps } from "./attempt-deps.ts";

/** A delivery that was just scheduled or claimed; the process that scheduled it has the content. */
export type DueAttempt = { delivery: OpenDelivery; content?: EventContent };

export type LoadedAttempt = {
  delivery: OpenDelivery;
  endpoint: DeliveryEndpoint | null;
  content: EventContent | undefined;
};

export async function loadAttempts(
  { events, directory }: Pick<AttemptDeps, "events" | "directory">,
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
