/** Bodies of business profiles: valid by default, realistic, changed by what the test is about. */
import { randomBytes } from "node:crypto";

export type Body = Record<string, unknown>;

const DAY_MS = 86_400_000;

/** YYYY-MM-DD, so many days from today in UTC. */
export const dayFromNow = (days: number, now = Date.now()): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);

export const aReference = (): string => `cust-${randomBytes(6).toString("hex")}`;

export const anAddress = (changes: Body = {}): Body => ({
  streetLine1: "12 Marina Road",
  streetLine2: "Suite 4",
  city: "Lagos",
  state: "Lagos",
  postalCode: "101241",
  countryCode: "NGA",
  ...changes,
});

export const aPassport = (changes: Body = {}): Body => ({
  identityTypeCode: "PASSPORT",
  issuingCountry: "NGA",
  identityValue: "A01234567",
  issueDate: "2022-03-01",
  expiryDate: dayFromNow(900),
  ...changes,
});

export const aNationalId = (changes: Body = {}): Body => ({
  identityTypeCode: "NATIOANL_ID",
  issuingCountry: "NGA",
  identityValue: "12345678901",
  ...changes,
});

export const aPerson = (changes: Body = {}): Body => ({
  firstName: "Amina",
  lastName: "Okafor",
  birthDate: "1984-07-19",
  nationality: "NGA",
  taxResidenceCountry: "NGA",
  email: `amina.${randomBytes(4).toString("hex")}@harbourfoods.example`,
  phone: "+2348012345678",
  ownershipType: ["SHAREHOLDER", "UBO"],
  percentageShare: 30,
  address: anAddress(),
  identities: [aPassport(), aNationalId()],
  ...changes,
});

export const financials = (changes: Body = {}): Body => ({
  monthlyTurnOver: "UpTo100k",
  estimatedTransactionValue: "UpTo15k",
  sourceOfFunds: "CustomerRevenue",
  purposeOfAccount: "SupplierPayments",
  ...changes,
});

/** The least a create takes. */
export const aSmallProfile = (changes: Body = {}): Body => ({
  partnerCustomerId: aReference(),
  email: "office@harbourfoods.example",
  companyName: "Harbour Foods Limited",
  businessTypeCode: "PrivateLimitedCompany",
  incorporationCountryIso3Code: "NGA",
  industry: "TradingIncome",
  website: "https://harbourfoods.example/about",
  registrationNumber: "RC1234567",
  ...changes,
});

/** Every field, three people with two identities each. */
export const aProfile = (changes: Body = {}): Body =>
  aSmallProfile({
    phoneNumber: "+2348098765432",
    tradingName: "Harbour",
    description: "Imports and distributes frozen food in West Africa.",
    registrationDate: "2015-05-20",
    addresses: [anAddress()],
    financials: financials(),
    businessPersonList: [
      aPerson(),
      aPerson({ firstName: "Tunde", jobTitle: "Chief executive", ownershipType: ["DIRECTOR"] }),
      aPerson({ firstName: "Ngozi", middleName: "Ada", taxIdentificationNumber: "TIN-009871234" }),
    ],
    ...changes,
  });

/** The same business as a PUT body. */
export function aReplacement(customerId: string, changes: Body = {}): Body {
  const { email, companyName, partnerCustomerId: _reference, ...rest } = aSmallProfile();
  return {
    customerId,
    businessEmail: email,
    name: companyName,
    phoneNumber: "+2348098765432",
    ...rest,
    ...changes,
  };
}
