/** How an operator changes the rules of a country, as data. */

import type { ValidationSchema } from "fastest-validator";
import { CHECK_NAMES, IDENTITY_TYPES } from "../../../shared/contract/vocabularies.ts";
import { about } from "../../../shared/input/validation.ts";

const flag = { type: "boolean", optional: true };
const time = { type: "string", optional: true, max: 40 };

export const configChangeSchema = {
  documents: {
    type: "array",
    min: 1,
    max: IDENTITY_TYPES.length,
    optional: true,
    ...about("The accepted documents; all of them, in the order they are shown. Left out: as before."),
    items: {
      type: "object",
      props: {
        identityTypeCode: { type: "string", enum: [...IDENTITY_TYPES] },
        pattern: {
          type: "string",
          max: 300,
          ...about("A regular expression from ^ to $ without unbounded or repeated groups."),
        },
        label: { type: "string", max: 100, optional: true },
        requiresIssueDate: flag,
        requiresExpiryDate: flag,
        requiresDocument: flag,
        issuingCountryRule: { type: "string", enum: ["ResidenceOnly", "Any"], optional: true },
        check: { type: "string", enum: [...CHECK_NAMES], optional: true },
        checkRefuses: flag,
      },
    },
  },
  active: {
    ...flag,
    ...about("false: people living there are no longer accepted. Left out: as before."),
  },
  validFrom: { ...time, ...about("When it begins to count; now unless given.") },
  validTo: { ...time, ...about("When it ends to count; never unless given.") },
  reason: { type: "string", max: 500, optional: true, ...about("For the record.") },
} as unknown as ValidationSchema;

export const configChangeExample = { active: false, reason: "review of the rules" };
