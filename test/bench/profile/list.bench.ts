/** A page of 50 by cursor, from anywhere in the list. */
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { drawnAnew, fewAndMany } from "./few-and-many.ts";
import { PROFILES } from "./profile-path.ts";

export const bench = fewAndMany({
  name: "list 50 by cursor",
  issue: 4,
  concurrency: 8,
  customers: 1_000_000,
  goals: [
    { measure: "p50", atMost: 1.2 },
    { measure: "p99", atMost: 1.3, pooled: true },
  ],
  load: drawnAnew(({ idAt, timeAt }) => {
    const share = Math.random();
    return `${PROFILES}?pageSize=50&cursor=${encodeCursor(Date.parse(timeAt(share)), idAt(share))}`;
  }),
});
