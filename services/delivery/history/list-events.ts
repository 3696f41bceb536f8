/** A page of a partner's events, oldest first, whether they were sent or not. */
import type { EventPage } from "../../../shared/action-types/delivery.ts";
import type { Clock } from "../../../shared/clock.ts";
import { encodeCursor } from "../../../shared/input/time-pages.rules.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { parseFeedQuery } from "./event-feed.rules.ts";

type Deps = { events: Pick<EventRepository, "feed">; clock: Clock };

export async function listEvents(
  { events, clock }: Deps,
  partnerId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<EventPage> {
  const { after, until, pageSize } = parseFeedQuery(query, clock.now());
  const found = await events.feed(partnerId, after, until, pageSize + 1);
  const shown = found.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    items: shown.map(({ envelopeJson }) => JSON.parse(envelopeJson) as Record<string, unknown>),
    nextCursor: encodeCursor(last ? { at: last.recordedAt, id: last._id } : after),
    hasMore: found.length > pageSize,
  };
}
