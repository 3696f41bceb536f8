/** The query of a list that only grows at its beginning: entries before one that was seen. */
import { isUuid } from "../../shared/ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type QueryReader } from "../../shared/input/query-reader.ts";

export function readNewestFirst(reader: QueryReader): { beforeId: string | null; limit: number } {
  const cursor = reader.text("cursor");
  if (cursor !== null && !isUuid(cursor)) reader.refuse("cursor", "is not a cursor of this list");
  return {
    beforeId: cursor?.toLowerCase() ?? null,
    limit: reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  };
}
