/** Cursors of lists: the place of the last entry in the order of the list, and its id. Opaque to callers. */
import type { QueryReader } from "./query-reader.ts";

export const encodeCursor = (place: string | number, id: string): string =>
  Buffer.from(`${place} ${id}`).toString("base64url");

const WRITTEN = /^([\d.]{1,21}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Null when the cursor is absent or empty: from the beginning. `positionOf` answers null for a place of another list. */
export function readCursor<T>(
  reader: QueryReader,
  positionOf: (place: string, id: string) => T | null,
): T | null {
  const cursor = reader.text("cursor");
  if (cursor === null) return null;
  const [, place, id] = WRITTEN.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  const position = place && id ? positionOf(place, id) : null;
  return position ?? reader.refuse("cursor", "is not a cursor of this list");
}
