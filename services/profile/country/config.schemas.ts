/** The body of a change of a country's rules, as data. */

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
    ...about("All accepted documents, in the order of the list. If absent, they stay."),
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
    ...about("false: people living there are not accepted. If absent, it stays."),
  },
  validFrom: { ...time, ...about("First moment of the new rules. Default: now.") },
  validTo: { ...time, ...about("End of the new rules. Default: no end.") },
  reason: { type: "string", max: 500, optional: true, ...about("Stored with the version.") },
} as unknown as ValidationSchema;

export const configChangeExample = { active: false, reason: "review of the rules" };
