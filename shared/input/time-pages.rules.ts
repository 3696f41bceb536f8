/** Pages of a list in the order of a time: by number for people, by cursor at the same cost for every length. */
import { readCursor } from "./cursor.rules.ts";
import { MAX_PAGE, type Query, type QueryReader } from "./query-reader.ts";

export type TimePosition = { at: Date; id: string };
export type Paging = { kind: "page"; page: number } | { kind: "cursor"; after: TimePosition | null };

export function readPaging(query: Query, reader: QueryReader): Paging {
  if (query.cursor === undefined) return { kind: "page", page: reader.integer("page", 1, MAX_PAGE) };
  return { kind: "cursor", after: readCursor(reader, positionOf) };
}

const positionOf = (ms: string, id: string): TimePosition | null =>
  /^\d{1,15}$/.test(ms) ? { at: new Date(Number(ms)), id } : null;
