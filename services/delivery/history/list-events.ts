/** A page of a partner's events, oldest first, whether they were sent or not. */

import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { EventPage } from "../../../shared/contract/answers/delivery.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { encodeFeedCursor, parseFeedQuery } from "./event-feed.rules.ts";

type Deps = {
  events: Pick<EventRepository, "feed">;
  clock: Clock;
  config: Pick<Config, "feedSettleMs">;
};

export async function listEvents(
  { events, clock, config }: Deps,
  partnerId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<EventPage> {
  const { after, pageSize } = parseFeedQuery(query, clock.now());
  const found = await events.feed(partnerId, after, config.feedSettleMs, pageSize + 1);
  const shown = found.slice(0, pageSize);
  return {
    items: shown.map(({ envelopeJson }) => JSON.parse(envelopeJson) as Record<string, unknown>),
    nextCursor: encodeFeedCursor(shown.at(-1) ?? after),
    hasMore: found.length > pageSize,
  };
}
