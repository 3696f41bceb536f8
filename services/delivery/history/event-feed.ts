/** The feed of a partner's events, oldest first, whether they were sent or not. */
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { EventPage } from "../../../shared/contract/answers/delivery.ts";
import { EVENT_RETENTION_MS } from "../../../shared/contract/durations.ts";
import { encodeCursor, readCursor } from "../../../shared/input/cursor.rules.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { type FeedPosition, isLater } from "../records/feed-position.rules.ts";

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

type FeedPage = { after: FeedPosition; pageSize: number };

const SECOND_MS = 1_000;
const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

export function parseFeedQuery(query: Query, nowMs: number): FeedPage {
  const reader = new QueryReader(query);
  const given = readCursor(reader, positionOf);
  const oldestSecond = Math.floor((nowMs - EVENT_RETENTION_MS) / SECOND_MS);
  const oldest = { at: { t: oldestSecond, i: 0 }, id: BEFORE_ALL_IDS };
  const after = given && isLater(given.at, oldest.at) ? given : oldest;
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  return reader.finish({ after, pageSize });
}

export const encodeFeedCursor = ({ at, id }: FeedPosition): string => encodeCursor(`${at.t}.${at.i}`, id);

function positionOf(place: string, id: string): FeedPosition | null {
  const [, t, i] = /^(\d{1,10})\.(\d{1,10})$/.exec(place) ?? [];
  return t && i ? { at: { t: Number(t), i: Number(i) }, id } : null;
}
