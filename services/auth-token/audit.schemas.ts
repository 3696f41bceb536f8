/** The query of a list whose newest entries come first, for the API document. */
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../shared/input/query-reader.ts";
import type { ValidationSchema } from "../../shared/input/validation.ts";

const about = (description: string) => ({ $$meta: { description } });

/** Of lists that only grow at their beginning. */
export const newestFirstQuery: ValidationSchema = {
  cursor: { type: "string", optional: true, ...about("nextCursor of the page before; absent begins.") },
  pageSize: {
    type: "number",
    integer: true,
    min: 1,
    max: MAX_PAGE_SIZE,
    optional: true,
    ...about(`Entries on a page; ${DEFAULT_PAGE_SIZE} unless given.`),
  },
};
