/** A customer by the partner's own reference, from anywhere in the collection. */
import { drawnAnew, fewAndMany } from "./few-and-many.ts";
import { PROFILES } from "./profile-path.ts";

export const bench = fewAndMany({
  name: "read by reference",
  issue: 4,
  concurrency: 8,
  customers: 1_000_000,
  goals: [
    { measure: "p50", atMost: 1.2 },
    { measure: "p99", atMost: 1.3, pooled: true },
  ],
  load: drawnAnew(({ referenceAt }) => `${PROFILES}/by-reference/${referenceAt(Math.random())}`),
});
