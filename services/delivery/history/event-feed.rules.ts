/** The feed of events for partners who cannot receive them: where a page begins and ends. */
import { isUuid } from "../../../shared/ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Query, QueryReader } from "../../../shared/query-reader.ts";
import { EVENT_RETENTION_MS } from "../records/retention.rules.ts";

/** The last event seen: events are read in the order in which they were recorded. */
export type FeedPosition = { recordedAt: Date; eventId: string };
export type FeedPage = { after: FeedPosition; until: Date; pageSize: number };

/**
 * Younger events are not shown yet, because one that was recorded earlier could still become visible and would be
 * passed over: a write takes up to ten seconds, and the clocks of processes may differ by half a minute.
 */
export const SETTLED_AFTER_MS = 45_000;

const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

export function parseFeedQuery(query: Query, nowMs: number): FeedPage {
  const reader = new QueryReader(query);
  const cursor = reader.text("cursor");
  const given = cursor === null ? null : decodePosition(cursor);
  if (cursor !== null && given === null) reader.refuse("cursor", "is not a cursor of this list");
  const oldest = new Date(nowMs - EVENT_RETENTION_MS);
  const after = given && given.recordedAt > oldest ? given : { recordedAt: oldest, eventId: BEFORE_ALL_IDS };
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  return reader.finish({ after, until: new Date(nowMs - SETTLED_AFTER_MS), pageSize });
}

/** Opaque to callers so that it can change. */
export const encodePosition = ({ recordedAt, eventId }: FeedPosition): string =>
  Buffer.from(`${recordedAt.getTime()} ${eventId}`).toString("base64url");

function decodePosition(cursor: string): FeedPosition | null {
  const [, time = "", eventId = ""] =
    /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return isUuid(eventId) || eventId === BEFORE_ALL_IDS
    ? { recordedAt: new Date(Number(time)), eventId }
    : null;
}
