/** The feed of events for partners who cannot receive them: where a page begins, and the cursor for the next one. */
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import { type FeedPosition, feedTimeOf, isLater } from "../records/feed-position.rules.ts";
import { EVENT_RETENTION_MS } from "../records/retention.rules.ts";

export type FeedPage = { after: FeedPosition; pageSize: number };

const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

export function parseFeedQuery(query: Query, nowMs: number): FeedPage {
  const reader = new QueryReader(query);
  const given = readFeedCursor(reader);
  const oldest = { at: feedTimeOf(new Date(nowMs - EVENT_RETENTION_MS)), id: BEFORE_ALL_IDS };
  const after = given && isLater(given.at, oldest.at) ? given : oldest;
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  return reader.finish({ after, pageSize });
}

/** Opaque to callers, so that it can change. */
export const encodeFeedCursor = ({ at, id }: FeedPosition): string =>
  Buffer.from(`${at.t}.${at.i} ${id}`).toString("base64url");

const ID = "([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})";
const WRITTEN = new RegExp(`^(\\d{1,10})\\.(\\d{1,10}) ${ID}$`, "i");
/** By a release that ordered events by the time of recording. */
const WRITTEN_BEFORE = new RegExp(`^(\\d{1,15}) ${ID}$`, "i");

function readFeedCursor(reader: QueryReader): FeedPosition | null {
  const cursor = reader.text("cursor");
  if (cursor === null) return null;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, t, i, id] = WRITTEN.exec(text) ?? [];
  if (t && i && id) return { at: { t: Number(t), i: Number(i) }, id };
  const [, ms, idBefore] = WRITTEN_BEFORE.exec(text) ?? [];
  return ms && idBefore
    ? { at: feedTimeOf(new Date(Number(ms))), id: idBefore }
    : reader.refuse("cursor", "is not a cursor of this list");
}
