/** A page of 50 by cursor, from everywhere in the list. */
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { fewAndMany } from "./few-and-many.ts";
import { PROFILES } from "./profile-path.ts";

const PLACES = 40;

export const bench = fewAndMany({
  name: "list 50 by cursor",
  issue: 4,
  concurrency: 8,
  customers: 1_000_000,
  goal: { measure: "p50", atMost: 1.2 },
  pathsOf: ({ idAt, timeAt }) =>
    Array.from({ length: PLACES }, (_, index) => {
      const cursor =
        index === 0 ? "" : encodeCursor(Date.parse(timeAt(1 - index / PLACES)), idAt(1 - index / PLACES));
      return `${PROFILES}?pageSize=50&cursor=${cursor}`;
    }),
});
