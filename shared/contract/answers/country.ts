/** The identity rules of countries, and the closed lists that forms offer. */
import {
  type Answer,
  country,
  described,
  flag,
  list,
  named,
  number,
  oneOf,
  openList,
  orNull,
  record,
  text,
  time,
} from "../answer-schema.ts";
import { type CheckName, TARGET_KINDS } from "../vocabularies.ts";
import { identityType } from "./customer.ts";

export const requirementsValue = record({
  countryCode: country,
  countryName: text,
  configVersion: number,
  minimumIdentities: number,
  items: list(
    record({
      identityType: text,
      identityTypeCode: identityType,
      fieldName: text,
      inputType: oneOf(["Document", "Input", "Select"]),
      isRequired: flag,
      label: text,
      placeholder: text,
      requiresIssueDate: flag,
      requiresExpiryDate: flag,
      requiresIdNumber: flag,
      requiresDocument: flag,
      issuingCountryRule: oneOf(["ResidenceOnly", "Any"]),
      validationRules: record({
        regex: described(text, "Create enforces exactly this pattern."),
        minLength: number,
        maxLength: number,
        errorMessage: text,
      }),
      displayOrder: number,
    }),
  ),
});
export type IdentityRequirements = Answer<typeof requirementsValue>;

const countryValue = named(
  "Country",
  record({
    code: country,
    name: text,
    residentsAccepted: described(flag, "Whether residents can be onboarded."),
  }),
);
export type CountryView = Answer<typeof countryValue>;
export const countriesValue = record({ items: list(countryValue) });

const businessTypeValue = record({ code: text, name: text });
export const businessTypesValue = record({ items: list(businessTypeValue) });

export const vocabulariesValue = record({
  reasonCodes: list(text),
  targets: described(
    list(record({ kind: oneOf(TARGET_KINDS), fields: list(text) })),
    "Targets of change requests, with the fields whose change answers them.",
  ),
  businessDocumentCategories: list(text),
  personDocumentCategories: list(text),
  contentTypes: list(text),
  identityTypes: list(text),
  ownershipTypes: list(text),
  verificationStatuses: list(text),
  reviewStages: list(text),
  businessTypes: list(businessTypeValue),
  countries: list(countryValue),
});
export type Vocabularies = Answer<typeof vocabulariesValue>;

const documentRule = record({
  identityTypeCode: identityType,
  label: text,
  pattern: text,
  minLength: number,
  maxLength: number,
  requiresIssueDate: flag,
  requiresExpiryDate: flag,
  requiresDocument: flag,
  issuingCountryRule: oneOf(["ResidenceOnly", "Any"]),
  check: orNull(openList<CheckName>()),
  // True: a wrong check digit refuses. False: it is a remark for the analyst.
  checkRefuses: flag,
});
/** The rule of a country for one kind of identity. */
export type DocumentRule = Answer<typeof documentRule>;

/** A version of a country's configuration; versions are added, never changed. */
export const configValue = record({
  countryCode: country,
  version: number,
  active: flag,
  validFrom: time,
  validTo: orNull(time),
  documents: list(documentRule),
  changedBy: text,
  changedAt: time,
  reason: text,
});
export type CountryConfig = Answer<typeof configValue>;
export const configListValue = record({ items: list(configValue) });
