/** The rules of countries as they are read, for the API document. */
import { IDENTITY_TYPES, TARGET_KINDS } from "../../../shared/contract/actions/customer.ts";
import {
  country,
  described,
  flag,
  list,
  named,
  number,
  oneOf,
  orNull,
  record,
  text,
  time,
} from "../../../shared/contract/answer-schema.ts";

const identityType = named("IdentityType", oneOf(IDENTITY_TYPES));

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
        regex: described(text, "Exactly what create enforces."),
        minLength: number,
        maxLength: number,
        errorMessage: text,
      }),
      displayOrder: number,
    }),
  ),
});

const countryValue = named(
  "Country",
  record({
    code: country,
    name: text,
    residentsAccepted: described(flag, "Whether people who live there can be onboarded."),
  }),
);
export const countriesValue = record({ items: list(countryValue) });

const businessTypeValue = record({ code: text, name: text });
export const businessTypesValue = record({ items: list(businessTypeValue) });

export const vocabulariesValue = record({
  reasonCodes: list(text),
  targets: described(
    list(record({ kind: oneOf(TARGET_KINDS), fields: list(text) })),
    "What a change request can be about, with the fields that a change answers.",
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

export const configValue = record({
  countryCode: country,
  version: number,
  active: flag,
  validFrom: time,
  validTo: orNull(time),
  documents: list(
    record({
      identityTypeCode: identityType,
      label: text,
      pattern: text,
      minLength: number,
      maxLength: number,
      requiresIssueDate: flag,
      requiresExpiryDate: flag,
      requiresDocument: flag,
      issuingCountryRule: oneOf(["ResidenceOnly", "Any"]),
      check: orNull(text),
      checkRefuses: flag,
    }),
  ),
  changedBy: text,
  changedAt: time,
  reason: text,
});
export const configListValue = record({ items: list(configValue) });
