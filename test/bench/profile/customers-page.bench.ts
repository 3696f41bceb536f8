/** The dashboard's page of customers: the first and a later page, each status, a name, a reference. */
import { VERIFICATION_STATUSES } from "../../../shared/contract/vocabularies.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { inBrowser, LIST_PAGE_GOAL, ROWS } from "../frame/browser-load.ts";
import { asOwner } from "../frame/partner.ts";
import { type Filled, fewAndMany } from "./few-and-many.ts";

export const bench = fewAndMany({
  name: "the dashboard's page of customers, in a browser",
  issue: 16,
  concurrency: 1,
  customers: 200_000,
  goals: [LIST_PAGE_GOAL],
  load: inBrowser(asOwner, [ROWS], ({ idAt, timeAt, referenceAt }: Filled) => [
    "customers",
    `customers?cursor=${encodeCursor(Date.parse(timeAt(0.5)), idAt(0.5))}`,
    ...VERIFICATION_STATUSES.map((status) => `customers?verificationStatus=${status}`),
    "customers?companyName=company+5",
    `customers?partnerCustomerId=${referenceAt(0.005)}`,
  ]),
});
