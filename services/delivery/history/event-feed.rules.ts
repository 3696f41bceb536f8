/** The feed of events for partners who cannot receive them: where a page begins, and the cursor for the next one. */
import { EVENT_RETENTION_MS } from "../../../shared/contract/durations.ts";
import { encodeCursor, readCursor } from "../../../shared/input/cursor.rules.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import { type FeedPosition, isLater } from "../records/feed-position.rules.ts";

export type FeedPage = { after: FeedPosition; pageSize: number };

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
