/** A customer by the partner's own reference, from everywhere in the collection. */
import { fewAndMany } from "./few-and-many.ts";
import { PROFILES } from "./profile-path.ts";

const PLACES = 200;

export const bench = fewAndMany({
  name: "read by reference",
  issue: 4,
  concurrency: 8,
  customers: 1_000_000,
  goal: { measure: "p50", atMost: 1.2 },
  pathsOf: ({ reference, count }) =>
    Array.from(
      { length: PLACES },
      (_, index) => `${PROFILES}/by-reference/${reference(Math.floor((index * count) / PLACES))}`,
    ),
});
