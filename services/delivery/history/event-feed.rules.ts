/** The feed of events for partners who cannot receive them: where a page begins and ends. */
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import { readCursor, type TimePosition } from "../../../shared/input/time-pages.rules.ts";
import { EVENT_RETENTION_MS } from "../records/retention.rules.ts";

/** Behind the last event seen: events are read in the order in which they were recorded. */
export type FeedPage = { after: TimePosition; until: Date; pageSize: number };

/**
 * Younger events are not shown yet, because one that was recorded earlier could still become visible and would be
 * passed over: a write takes up to ten seconds, and the clocks of processes may differ by half a minute.
 */
export const SETTLED_AFTER_MS = 45_000;

const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

export function parseFeedQuery(query: Query, nowMs: number): FeedPage {
  const reader = new QueryReader(query);
  const given = readCursor(reader);
  const oldest = new Date(nowMs - EVENT_RETENTION_MS);
  const after = given && given.at > oldest ? given : { at: oldest, id: BEFORE_ALL_IDS };
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  return reader.finish({ after, until: new Date(nowMs - SETTLED_AFTER_MS), pageSize });
}
