/** A business customer as it is read: the names of the create body, numbers masked, absent values null. */
import {
  type Answer,
  country,
  day,
  described,
  type Fields,
  flag,
  id,
  list,
  named,
  number,
  oneOf,
  orNull,
  pageOf,
  record,
  text,
  time,
} from "../answer-schema.ts";
import {
  ACCOUNT_PURPOSES,
  BUSINESS_TYPES,
  IDENTITY_TYPES,
  INDUSTRIES,
  MONTHLY_TURNOVERS,
  OWNERSHIP_TYPES,
  REVIEW_STAGES,
  TRANSACTION_VALUES,
  VERIFICATION_STATUSES,
} from "../vocabularies.ts";
import { documentValue } from "./document.ts";

export const status = named("VerificationStatus", oneOf(VERIFICATION_STATUSES));
export const stage = named("ReviewStage", oneOf(REVIEW_STAGES));
export const ownershipType = named("OwnershipType", oneOf(OWNERSHIP_TYPES));
export const identityType = named("IdentityType", oneOf(IDENTITY_TYPES));
const industry = named("Industry", oneOf(INDUSTRIES));

const address = named(
  "Address",
  record({
    streetLine1: text,
    streetLine2: orNull(text),
    city: text,
    state: text,
    postalCode: text,
    countryCode: country,
  }),
);
export type Address = Answer<typeof address>;

const financials = named(
  "Financials",
  record({
    monthlyTurnOver: named("MonthlyTurnover", oneOf(MONTHLY_TURNOVERS)),
    estimatedTransactionValue: named("TransactionValue", oneOf(TRANSACTION_VALUES)),
    sourceOfFunds: industry,
    purposeOfAccount: named("AccountPurpose", oneOf(ACCOUNT_PURPOSES)),
  }),
);
export type Financials = Answer<typeof financials>;

const masked = described(text, "Masked: shows the last four characters only.");
const identity = named(
  "Identity",
  record({
    identityTypeCode: identityType,
    issuingCountry: country,
    identityValue: masked,
    documentUploadId: orNull(id),
    documentStatus: orNull(described(text, "Missing until the document exists.")),
    issueDate: orNull(day),
    expiryDate: orNull(day),
  }),
);
export type IdentityFacts = Omit<Answer<typeof identity>, "identityValue" | "documentStatus">;

/** Stored and shown as the partner sent them; absent values are null. */
const personFields = {
  firstName: text,
  middleName: orNull(text),
  lastName: text,
  birthDate: orNull(day),
  nationality: country,
  taxResidenceCountry: orNull(country),
  placeOfBirthCountry: orNull(country),
  email: text,
  phone: orNull(text),
  jobTitle: orNull(text),
  ownershipType: list(ownershipType),
  percentageShare: orNull(number),
  isPoliticallyExposed: orNull(flag),
  isAuthorizedSignatory: orNull(flag),
};
export type PersonFacts = Fields<typeof personFields> & { address: Address };

const person = named(
  "BusinessPerson",
  record({
    uboId: id,
    ...personFields,
    taxIdentificationNumber: orNull(masked),
    address,
    identities: list(identity),
  }),
);
export type PersonView = Answer<typeof person>;

/** The fields of the business itself, stored and shown as the partner sent them. */
const businessFields = {
  email: text,
  phoneNumber: orNull(text),
  companyName: text,
  tradingName: orNull(text),
  businessTypeCode: named("BusinessType", oneOf(BUSINESS_TYPES.map(({ code }) => code))),
  incorporationCountryIso3Code: country,
  industry,
  description: orNull(text),
  website: text,
  registrationNumber: text,
  registrationDate: orNull(day),
};
export const BUSINESS_FIELDS = Object.keys(businessFields) as (keyof BusinessFields)[];
export type BusinessFields = Fields<typeof businessFields>;

const changed = { customerId: id, partnerCustomerId: text, verificationStatus: status };
const itemProperties = {
  ...changed,
  reviewStage: stage,
  ...businessFields,
  test: described(flag, "true for a customer of a test partner."),
  addresses: list(address),
  openChangeRequestCount: number,
  version: described(number, "Same as the ETag; send it as If-Match to change only this version."),
  createdAt: time,
  updatedAt: time,
};
export type CustomerItem = Fields<typeof itemProperties>;
export type ReviewState = Pick<CustomerItem, "verificationStatus" | "reviewStage">;

export const profileValue = named(
  "BusinessProfile",
  record({
    ...itemProperties,
    financials: orNull(financials),
    businessPersonList: list(person),
    documents: list(documentValue),
  }),
);
export type Customer = Answer<typeof profileValue>;

export const profileListValue = pageOf(
  described(
    named("BusinessProfileSummary", record(itemProperties)),
    "Without people, documents and financials.",
  ),
);
export type CustomerList = Answer<typeof profileListValue>;

const ubo = named("Ubo", record({ uboId: id, firstName: text, lastName: text, email: text }));

export const createValue = record({ ...changed, ubos: list(ubo), createdAt: time });
export type CreatedCustomer = Answer<typeof createValue>;

export const replaceValue = record({ ...changed, version: number });
export type CustomerChange = Answer<typeof replaceValue>;

export const patchValue = record({
  ...changed,
  ubos: list(ubo),
  confirmedDocumentIds: list(id),
  changedFields: list(text),
  version: number,
});
export type CustomerPatch = Answer<typeof patchValue>;

export const patchPersonValue = record({
  ...changed,
  version: number,
  uboId: id,
  changedFields: list(text),
});
export type PersonChange = Answer<typeof patchPersonValue>;
