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
const pageSize = {
  type: "number",
  integer: true,
  min: 1,
  max: MAX_PAGE_SIZE,
  optional: true,
  ...about(`Entries on a page; ${DEFAULT_PAGE_SIZE} unless given.`),
};
const page = {
  type: "number",
  integer: true,
  min: 1,
  optional: true,
  ...about("Page by number, from 1."),
};
const states = { verificationStatus: oneOf(VERIFICATION_STATUSES), reviewStage: oneOf(REVIEW_STAGES) };

export const listQuery = {
  page,
  pageSize,
  cursor: text(
    "nextCursor of the page before, or empty to begin: costs the same however many customers there are, and counts no total.",
  ),
  ...states,
  partnerCustomerId: text("Exactly this reference."),
  registrationNumber: text("Exactly this number."),
  incorporationCountryIso3Code: text("ISO 3166-1 alpha-3."),
  businessTypeCode: text("In any case."),
  industry: text("Exactly this value."),
  companyName: text("Names that begin with this, in any case."),
  createdFrom: time("ISO 8601 time, or a day for its beginning; included."),
  createdTo: time("ISO 8601 time, or a day for its end; included."),
  updatedFrom: time("As createdFrom, for the last change."),
  updatedTo: time("As createdTo, for the last change."),
} as unknown as ValidationSchema;

const testQuery = {
  test: {
    type: "string",
    enum: ["true", "false"],
    optional: true,
    ...about("The customers of test partners, which are in no other list of cases."),
  },
};

export const casesQuery = {
  page,
  pageSize,
  cursor: text(
    "nextCursor of the page before, or empty to begin: costs the same however many cases there are, and counts no total. Not with search.",
  ),
  ...states,
  search: text(
    "The id of a customer, exactly a reference, or how a company name begins, in any case. Sorted by name; finds at most 200 by name.",
  ),
  country: text("Of incorporation, ISO 3166-1 alpha-3."),
  claimedBy: text("Email of an analyst, or me."),
  sort: { ...oneOf(["oldest", "newest"]), ...about("By submittedAt; oldest unless given.") },
  mine: {
    type: "string",
    enum: ["true", "false"],
    optional: true,
    ...about("Only cases I have claimed."),
  },
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
  versions: {
    type: "string",
    enum: ["true", "false"],
    optional: true,
    ...about("Every version there ever was, not only the newest."),
  },
} as unknown as ValidationSchema;
