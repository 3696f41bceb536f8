/** The dashboard's queue of cases: each tab with its counts, a later page, a country, a search. */
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { COUNTS, inBrowser, LIST_PAGE_GOAL, ROWS } from "../frame/browser-load.ts";
import { asAnalyst } from "../frame/partner.ts";
import { type Filled, fewAndMany } from "./few-and-many.ts";

export const bench = fewAndMany({
  name: "the dashboard's queue of cases, in a browser",
  issue: 16,
  concurrency: 1,
  customers: 200_000,
  goals: [LIST_PAGE_GOAL],
  load: inBrowser(asAnalyst, [ROWS, COUNTS], ({ idAt, timeAt, referenceAt }: Filled) => [
    "queue",
    "queue?tab=mine",
    "queue?tab=awaiting",
    "queue?tab=closed",
    `queue?cursor=${encodeCursor(Date.parse(timeAt(0.5)), idAt(0.5))}`,
    "queue?country=NGA",
    `queue?search=${referenceAt(0.005)}`,
  ]),
});
