/** The query of a list whose newest entries come first: a cursor names the entry that the next page follows. */
import { isUuid } from "../ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type QueryReader } from "./query-reader.ts";
import type { ValidationSchema } from "./validation.ts";

export const newestFirstQuery: ValidationSchema = {
  cursor: {
    type: "string",
    optional: true,
    $$meta: { description: "nextCursor of the previous page. Absent: the first page." },
  },
  pageSize: {
    type: "number",
    integer: true,
    min: 1,
    max: MAX_PAGE_SIZE,
    optional: true,
    $$meta: { description: `Entries per page. Default: ${DEFAULT_PAGE_SIZE}.` },
  },
};

export function readNewestFirst(reader: QueryReader): { beforeId: string | null; limit: number } {
  const cursor = reader.text("cursor");
  if (cursor !== null && !isUuid(cursor)) reader.refuse("cursor", "is not a cursor of this list");
  return {
    beforeId: cursor?.toLowerCase() ?? null,
    limit: reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  };
}
