/** The tables of the contract, one row per field, and the cases they make; for the rules alone and for the API as a whole. */
import { type Case, CONTROL, casesOf, type Row } from "./conformance-cases.ts";
import {
  aNationalId,
  anAddress,
  aPerson,
  aReference,
  aSmallProfile,
  financials,
} from "./profile-builders.ts";

const INDUSTRIES =
  "CustomerRevenue ShareholderCapital BusinessLoans Grants Investments AssetSales CryptoProceeds IntercompanyTransfers Donations MarketplaceFees SubscriptionRevenue TradingIncome".split(
    " ",
  );
const PURPOSES =
  "CustomerCollections Payroll SupplierPayments MarketplaceSettlements EscrowHolding SubscriptionBilling CrossBorderTrade FxSettlement CryptoOnRamp CryptoOffRamp Donations InvestmentHolding AffiliatePayouts MerchantPayouts InternalTreasury".split(
    " ",
  );
const TURNOVERS = ["UpTo15k", "UpTo50k", "UpTo100k", "UpTo500k", "Above500k"];
const VALUES = ["UpTo5k", "UpTo15k", "UpTo50k", "UpTo100k", "Above100k"];

const CREATE: Row[] = [
  {
    field: "partnerCustomerId",
    required: true,
    missing: "Customer.PartnerCustomerIdRequired",
    kind: { type: "reference" },
  },
  { field: "email", required: true, kind: { type: "email" } },
  { field: "phoneNumber", kind: { type: "phone" } },
  { field: "companyName", required: true, kind: { type: "text", min: 2, max: 255 } },
  { field: "tradingName", kind: { type: "text", max: 255 } },
  { field: "businessTypeCode", required: true, kind: { type: "businessType" } },
  { field: "incorporationCountryIso3Code", required: true, kind: { type: "country" } },
  { field: "industry", required: true, kind: { type: "vocabulary", values: INDUSTRIES } },
  { field: "description", kind: { type: "text", max: 1000 } },
  { field: "website", required: true, kind: { type: "website" } },
  { field: "registrationNumber", required: true, kind: { type: "text", max: 10 } },
  { field: "registrationDate", kind: { type: "day" } },
  {
    field: "addresses",
    kind: { type: "list", max: 10, empty: true, item: anAddress(), itemCode: "Validation" },
  },
  { field: "financials", kind: { type: "object" } },
  {
    field: "businessPersonList",
    kind: { type: "list", max: 50, empty: true, item: aPerson(), itemCode: "Validation" },
  },
];

const REPLACE: Row[] = [
  { field: "customerId", required: true, kind: { type: "own" } },
  { field: "businessEmail", required: true, kind: { type: "email" } },
  { field: "phoneNumber", required: true, kind: { type: "phone" } },
  { field: "name", required: true, kind: { type: "text", min: 2, max: 255 } },
  { field: "tradingName", kind: { type: "text", max: 255 } },
  { field: "businessTypeCode", required: true, kind: { type: "businessType" } },
  { field: "incorporationCountryIso3Code", required: true, kind: { type: "country" } },
  { field: "industry", required: true, kind: { type: "vocabulary", values: ["TradingIncome", "Grants"] } },
  { field: "description", kind: { type: "text", max: 1000 } },
  { field: "website", required: true, kind: { type: "website" } },
  { field: "registrationNumber", required: true, kind: { type: "text", max: 100 } },
  { field: "registrationDate", kind: { type: "day" } },
  { field: "addresses", kind: { type: "list", max: 10, empty: true, item: anAddress(), itemCode: CONTROL } },
  { field: "financials", kind: { type: "object" } },
  {
    field: "businessPersonList",
    kind: { type: "list", max: 50, empty: true, item: aPerson(), itemCode: CONTROL },
  },
];

const ADDRESS: Row[] = [
  { field: "streetLine1", required: true, kind: { type: "text", max: 255 } },
  { field: "streetLine2", kind: { type: "text", max: 255 } },
  { field: "city", required: true, kind: { type: "text", max: 100 } },
  { field: "state", required: true, kind: { type: "text", max: 100 } },
  { field: "postalCode", required: true, kind: { type: "text", max: 20 } },
  { field: "countryCode", required: true, kind: { type: "country" } },
];

const FINANCIALS: Row[] = [
  { field: "monthlyTurnOver", required: true, kind: { type: "vocabulary", values: TURNOVERS } },
  { field: "estimatedTransactionValue", required: true, kind: { type: "vocabulary", values: VALUES } },
  { field: "sourceOfFunds", required: true, kind: { type: "vocabulary", values: INDUSTRIES } },
  { field: "purposeOfAccount", required: true, kind: { type: "vocabulary", values: PURPOSES } },
];

const PERSON: Row[] = [
  { field: "firstName", required: true, kind: { type: "text", max: 100 } },
  { field: "middleName", kind: { type: "text", max: 100 } },
  { field: "lastName", required: true, kind: { type: "text", max: 100 } },
  { field: "birthDate", kind: { type: "day", past: true } },
  { field: "taxResidenceCountry", kind: { type: "country" } },
  { field: "placeOfBirthCountry", kind: { type: "country" } },
  { field: "nationality", required: true, kind: { type: "country" } },
  { field: "email", required: true, kind: { type: "email" } },
  { field: "phone", kind: { type: "phone" } },
  { field: "jobTitle", kind: { type: "text", max: 100 } },
  { field: "taxIdentificationNumber", kind: { type: "text", max: 50 } },
  { field: "percentageShare", kind: { type: "share" } },
  { field: "isPoliticallyExposed", kind: { type: "flag" } },
  { field: "isAuthorizedSignatory", kind: { type: "flag" } },
  { field: "address", required: true, kind: { type: "object" } },
  {
    field: "identities",
    required: true,
    kind: { type: "list", max: 10, empty: false, item: aNationalId(), itemCode: CONTROL },
  },
  {
    field: "ownershipType",
    required: true,
    kind: { type: "list", max: 3, empty: false, item: "UBO", itemCode: CONTROL },
  },
];

const IDENTITY: Row[] = [
  { field: "identityTypeCode", required: true, kind: { type: "vocabulary", values: ["NATIOANL_ID", "BVN"] } },
  { field: "issuingCountry", required: true, kind: { type: "country" } },
  { field: "identityValue", required: true, kind: { type: "own" } },
  { field: "documentUploadId", kind: { type: "uuid" } },
  { field: "idBackDocumentUploadId", kind: { type: "uuid" } },
  { field: "issueDate", kind: { type: "day", notFuture: true } },
  { field: "expiryDate", kind: { type: "day", future: true } },
];

const createCodes = { shape: "Validation", vocabulary: CONTROL };
const otherCodes = { shape: CONTROL, vocabulary: CONTROL };
const inPerson = (field: string) => `businessPersonList[0].${field}`;
const inIdentity = (field: string) => `businessPersonList[0].identities[0].${field}`;

/** More than the tables generate: single rules of the contract. */
const extra = (field: string, what: string, value: unknown, code: string, detail = field): Case => ({
  table: "create",
  field,
  what,
  value,
  expected: { code, field: detail },
});

export const CREATE_CASES: Case[] = [
  ...casesOf("create", CREATE, createCodes),
  ...casesOf("address", ADDRESS, otherCodes, (field) => `addresses[0].${field}`),
  ...casesOf("address of a person", ADDRESS, otherCodes, (field) => inPerson(`address.${field}`)),
  ...casesOf("financials", FINANCIALS, otherCodes, (field) => `financials.${field}`),
  ...casesOf("person", PERSON, otherCodes, inPerson),
  ...casesOf("identity", IDENTITY, otherCodes, inIdentity),
  ...["", "   ", "1".repeat(256), "1".repeat(255), "1234567890", "A2345678901"].map(
    (value): Case => ({
      table: "identity",
      field: "identityValue",
      what: `the number ${value.slice(0, 12)} of ${value.length} characters`,
      value,
      expected: { code: CONTROL, field: inIdentity("identityValue") },
    }),
  ),
  extra(inIdentity("identityTypeCode"), "spelt right", "NATIONAL_ID", CONTROL),
  extra(inIdentity("issuingCountry"), "not the country of residence", "GHA", CONTROL),
  extra(inPerson("address.countryCode"), "not configured", "JPN", "OnboardingConfig.NotFound"),
  extra(
    inPerson("ownershipType"),
    "outside the vocabulary",
    ["OWNER"],
    CONTROL,
    inPerson("ownershipType[0]"),
  ),
  extra(inPerson("ownershipType"), "twice the same", ["UBO", "UBO"], CONTROL),
  extra("businessPersonList[0]", "null", null, CONTROL),
  extra("businessPersonList[0]", "a text", "text", CONTROL),
  extra("addresses[0]", "null", null, CONTROL),
  extra(inPerson("identities[0]"), "null", null, CONTROL),
  extra(inPerson("ownershipType[0]"), "null", null, CONTROL),
];

export const REPLACE_CASES: Case[] = casesOf("replace", REPLACE, otherCodes);

/** A person with an identity that needs no dates, so that every field can be tried alone. */
export const baseBody = () =>
  aSmallProfile({
    partnerCustomerId: aReference(),
    addresses: [anAddress()],
    financials: financials(),
    businessPersonList: [aPerson({ identities: [aNationalId()] })],
  });

export const pathOf = ({ table, field }: Case): string => {
  if (table === "address") return `addresses[0].${field}`;
  if (table === "address of a person") return inPerson(`address.${field}`);
  if (table === "financials") return `financials.${field}`;
  if (table === "person") return inPerson(field);
  return table === "identity" ? inIdentity(field) : field;
};
export const nameOf = (one: Case) => `${one.table}: ${one.field} ${one.what}`;
