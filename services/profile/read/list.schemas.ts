/** The queries of the lists, for the API document; list-filter.rules.ts checks them. */

import type { ValidationSchema } from "fastest-validator";
import { REVIEW_STAGES, VERIFICATION_STATUSES } from "../../../shared/contract/vocabularies.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../../shared/input/query-reader.ts";
import { about } from "../../../shared/input/validation.ts";
import { TIME_PATTERN } from "../../../shared/iso-time.rules.ts";

const text = (description: string) => ({ type: "string", optional: true, ...about(description) });
const time = (description: string) => ({
  type: "string",
  optional: true,
  $$meta: { description, pattern: TIME_PATTERN },
});
const oneOf = (values: readonly string[]) => ({ type: "string", enum: [...values], optional: true });
const flag = (description: string) => ({ ...oneOf(["true", "false"]), ...about(description) });
const count = { type: "number", integer: true, min: 1, optional: true };
const pageSize = {
  ...count,
  max: MAX_PAGE_SIZE,
  ...about(`Entries per page. Default: ${DEFAULT_PAGE_SIZE}.`),
};
const page = { ...count, ...about("Page by number, from 1.") };
const states = { verificationStatus: oneOf(VERIFICATION_STATUSES), reviewStage: oneOf(REVIEW_STAGES) };

export const listQuery = {
  page,
  pageSize,
  cursor: text(
    "nextCursor of the previous page, or empty for the first page. Equally fast for every number of customers, without a total.",
  ),
  ...states,
  partnerCustomerId: text("The whole reference."),
  registrationNumber: text("The whole number."),
  incorporationCountryIso3Code: text("ISO 3166-1 alpha-3."),
  businessTypeCode: text("In upper or lower case."),
  industry: text("The whole value."),
  companyName: text("The beginning of a name, in upper or lower case."),
  createdFrom: time("ISO 8601 time, inclusive. A day means its first moment."),
  createdTo: time("ISO 8601 time, inclusive. A day means its last moment."),
  updatedFrom: time("Like createdFrom, for the last change."),
  updatedTo: time("Like createdTo, for the last change."),
} as unknown as ValidationSchema;

const testQuery = { test: flag("Customers of test partners. No other list of cases has them.") };

export const casesQuery = {
  page,
  pageSize,
  cursor: text(
    "nextCursor of the previous page, or empty for the first page. Equally fast for every number of cases, without a total. Not with search.",
  ),
  ...states,
  search: text(
    "A customer id, a whole reference, or the beginning of a company name. Sorted by name. At most 200 results by name.",
  ),
  country: text("Country of incorporation, ISO 3166-1 alpha-3."),
  claimedBy: text("Email of an analyst, or me."),
  sort: { ...oneOf(["oldest", "newest"]), ...about("By submittedAt. Default: oldest.") },
  mine: flag("Only cases I have claimed."),
  ...testQuery,
} as unknown as ValidationSchema;

export const caseCountsQuery = testQuery as unknown as ValidationSchema;

export const requirementsQuery = {
  countryCode: {
    type: "string",
    pattern: /^[A-Z]{3}$/,
    $$meta: { description: "Country of residence, ISO 3166-1 alpha-3.", example: "NGA" },
  },
} as unknown as ValidationSchema;

export const configsQuery = {
  countryCode: text("Only this country."),
  versions: flag("All versions, not only the newest."),
} as unknown as ValidationSchema;
