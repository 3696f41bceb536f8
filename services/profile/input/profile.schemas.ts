/** The shapes of request bodies, as data: checked by the service, shown in the OpenAPI document. */

import type { ValidationSchema } from "fastest-validator";
import {
  ACCOUNT_PURPOSES,
  IDENTITY_TYPES,
  INDUSTRIES,
  MONTHLY_TURNOVERS,
  OWNERSHIP_TYPES,
  TRANSACTION_VALUES,
} from "../../../shared/contract/vocabularies.ts";
import type { Shown } from "../../../shared/input/unknown-properties.rules.ts";
import { COUNTRY_CODE, DATE, EMAIL, PARTNER_CUSTOMER_ID, PHONE } from "../record/text.rules.ts";

export const MAX_PEOPLE = 50;
export const MAX_IDENTITIES = 10;
export const MAX_ADDRESSES = 10;
export const MAX_DOCUMENT_IDS = 100;

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

type Rule = Record<string, unknown>;
const optional = (rule: Rule): Rule => ({ ...rule, optional: true });
/** In a PATCH null clears the field. Null for any other field is a violation. */
const clearable = (rule: Rule): Rule => ({ ...rule, optional: true, nullable: true });
const matching = (pattern: RegExp, message: string, more: Rule = {}): Rule => ({
  type: "string",
  pattern,
  messages: { stringPattern: message },
  ...more,
});

const text = (max: number): Rule => ({ type: "string", max });
/** More than white space. */
const filled = (max: number, min = 1): Rule => matching(/\S/, "must not be blank", { min, max });
/** Its name in the API document. */
const object = (name: string, props: Rule): Rule => ({ type: "object", props, $$meta: { name } });
const oneOf = (name: string, values: readonly string[]): Rule => ({
  type: "string",
  enum: [...values],
  messages: { stringEnum: `must be one of ${values.join(", ")}` },
  $$meta: { name },
});
const country = matching(COUNTRY_CODE, "must be an ISO 3166-1 alpha-3 code, three uppercase letters");
const day = matching(DATE, "must be a date as YYYY-MM-DD");
const phone = matching(PHONE, "must be E.164: a + and 7 to 15 digits, the first not 0");
const email = matching(EMAIL, "must be an email address", { max: 255 });
const uuid = matching(UUID, "must be a UUID");
const website = matching(/^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#]\S*$/, "must be an absolute http or https URL", {
  max: 255,
});
const industry = oneOf("Industry", INDUSTRIES);
const businessType = matching(/^[^_]*$/, "must not hold an underscore; the names are Pascal case", {
  empty: false,
});
const partnerCustomerId = matching(
  PARTNER_CUSTOMER_ID,
  "must be 1 to 100 letters, digits or . _ : @ -, beginning with a letter or digit",
);

const addressProps = {
  streetLine1: filled(255),
  streetLine2: optional(text(255)),
  city: filled(100),
  state: filled(100),
  postalCode: filled(20),
  countryCode: country,
} as const;

const financialsProps = {
  monthlyTurnOver: oneOf("MonthlyTurnover", MONTHLY_TURNOVERS),
  estimatedTransactionValue: oneOf("TransactionValue", TRANSACTION_VALUES),
  // The contract gives both the same twelve values.
  sourceOfFunds: industry,
  purposeOfAccount: oneOf("AccountPurpose", ACCOUNT_PURPOSES),
} as const;

export const identityProps = {
  identityTypeCode: oneOf("IdentityType", IDENTITY_TYPES),
  issuingCountry: country,
  identityValue: filled(255),
  documentUploadId: optional(uuid),
  issueDate: optional(day),
  expiryDate: optional(day),
  idBackDocumentUploadId: optional(uuid),
} as const;

export const personProps = {
  firstName: filled(100),
  middleName: optional(text(100)),
  lastName: filled(100),
  birthDate: optional(day),
  nationality: country,
  taxResidenceCountry: optional(country),
  placeOfBirthCountry: optional(country),
  email,
  phone: optional(phone),
  jobTitle: optional(text(100)),
  ownershipType: {
    type: "array",
    min: 1,
    unique: true,
    items: oneOf("OwnershipType", OWNERSHIP_TYPES),
    messages: { arrayUnique: "must not name a value twice" },
  },
  percentageShare: optional({ type: "number", integer: true, min: 1, max: 100 }),
  isPoliticallyExposed: optional({ type: "boolean" }),
  isAuthorizedSignatory: optional({ type: "boolean" }),
  taxIdentificationNumber: optional(text(50)),
  address: object("AddressInput", addressProps),
  identities: { type: "array", min: 1, max: MAX_IDENTITIES, items: object("IdentityInput", identityProps) },
} as const;

const addresses = { type: "array", max: MAX_ADDRESSES, items: object("AddressInput", addressProps) };
const financials = object("FinancialsInput", financialsProps);
const people = (items: Rule) => ({ type: "array", max: MAX_PEOPLE, items });
const newPeople = people(object("BusinessPersonInput", personProps));
const knownPeople = people(
  object("BusinessPersonUpdate", {
    uboId: optional({ type: "string" }),
    ...personProps,
    // Filled in for stored people before the body is checked.
    identities: {
      ...personProps.identities,
      $$meta: {
        mayBeAbsent: true,
        description: "If absent for a stored person, the stored identities stay.",
      },
    },
  }),
);

/** The fields that PUT has under the same names as a create. */
const business = {
  tradingName: optional(text(255)),
  businessTypeCode: businessType,
  incorporationCountryIso3Code: country,
  industry,
  description: optional(text(1000)),
  website,
  registrationNumber: filled(100),
  registrationDate: optional(day),
  addresses: optional(addresses),
  financials: optional(financials),
  businessPersonList: optional(newPeople),
};
const companyName = filled(255, 2);
const storedReference = optional({ type: "string" });

export const createSchema = {
  partnerCustomerId,
  email,
  phoneNumber: optional(phone),
  companyName,
  ...business,
  registrationNumber: filled(10),
} as unknown as ValidationSchema;

export const replaceSchema = {
  customerId: { type: "string" },
  businessEmail: email,
  phoneNumber: phone,
  name: companyName,
  ...business,
  industry: { ...industry, max: 100, $$meta: {} },
  businessPersonList: optional(knownPeople),
  partnerCustomerId: storedReference,
} as unknown as ValidationSchema;

export const personListSchema = { businessPersonList: newPeople } as unknown as ValidationSchema;

/** Every field may be left out, and null clears a field that is optional in a create. */
const patchOf = (props: Readonly<Record<string, Rule>>): Record<string, Rule> =>
  Object.fromEntries(
    Object.entries(props).map(([name, rule]) => [name, rule.optional ? clearable(rule) : optional(rule)]),
  );

export const personPatchSchema = patchOf(personProps) as unknown as ValidationSchema;

const { tradingName, businessTypeCode, ...rest } = business;
export const patchSchema = {
  ...patchOf({
    email,
    phoneNumber: optional(phone),
    companyName,
    tradingName,
    businessTypeCode,
    incorporationCountryCode: country,
    ...rest,
  }),
  // Null does not clear a list or an object.
  addresses: business.addresses,
  financials: business.financials,
  businessPersonList: business.businessPersonList,
  businessDocumentIdList: optional({ type: "array", max: MAX_DOCUMENT_IDS, items: { type: "string" } }),
  partnerCustomerId: storedReference,
} as unknown as ValidationSchema;

/** Properties of a read that no request takes; the read is in services/profile/read/profile.view.ts. */
export const SHOWN_OF_PERSON = { uboId: true, identities: { documentStatus: true } } as const satisfies Shown;
export const SHOWN = {
  customerId: true,
  partnerCustomerId: true,
  verificationStatus: true,
  reviewStage: true,
  test: true,
  documents: true,
  openChangeRequestCount: true,
  version: true,
  createdAt: true,
  updatedAt: true,
  businessPersonList: SHOWN_OF_PERSON,
} as const satisfies Shown;
