/** What the dashboard asks for its page of customers: the first and a later page, each status, a name, a reference. */
import { encodeCursor } from "../../../services/profile/record/list-filter.rules.ts";
import { VERIFICATION_STATUSES } from "../../../shared/action-types/customer.ts";
import { fewAndMany } from "./few-and-many.ts";
import { LIST_PAGE_GOAL, ownerSession } from "./person.ts";

const CUSTOMERS = "/api/customer/v1/partner-profile/customers?pageSize=25";

export const bench = fewAndMany({
  name: "the dashboard's page of customers",
  issue: 16,
  concurrency: 1,
  goal: LIST_PAGE_GOAL,
  headersOf: ownerSession,
  pathsOf: ({ idAt, reference }) => [
    `${CUSTOMERS}&cursor=`,
    `${CUSTOMERS}&cursor=${encodeCursor(idAt(0.5))}`,
    ...VERIFICATION_STATUSES.map((status) => `${CUSTOMERS}&cursor=&verificationStatus=${status}`),
    `${CUSTOMERS}&cursor=&companyName=company%205`,
    `${CUSTOMERS}&cursor=&partnerCustomerId=${reference(5)}`,
  ],
});
