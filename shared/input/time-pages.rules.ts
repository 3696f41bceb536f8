/** Pages of a list in the order of a time: by number for people, by cursor at the same cost however long the list is. */
import { MAX_PAGE, type Query, type QueryReader } from "./query-reader.ts";

/** The last entry of a page. */
export type TimePosition = { at: Date; id: string };
export type Paging = { kind: "page"; page: number } | { kind: "cursor"; after: TimePosition | null };

export function readPaging(query: Query, reader: QueryReader): Paging {
  if (query.cursor === undefined) return { kind: "page", page: reader.integer("page", 1, MAX_PAGE) };
  return { kind: "cursor", after: readCursor(reader) };
}

/** Null when it is absent or empty: from the beginning. */
function readCursor(reader: QueryReader): TimePosition | null {
  const cursor = reader.text("cursor");
  if (cursor === null) return null;
  const [, ms, id] = WRITTEN.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  return ms && id
    ? { at: new Date(Number(ms)), id }
    : reader.refuse("cursor", "is not a cursor of this list");
}

/** Opaque to callers, so that it can change. */
export const encodeCursor = ({ at, id }: TimePosition): string =>
  Buffer.from(`${at.getTime()} ${id}`).toString("base64url");

const WRITTEN = /^(\d{1,15}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
