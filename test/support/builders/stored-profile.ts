/** Customers and people as they are stored, valid by default; and the country rules that a new system starts with. */
import { configOfSeed } from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import {
  type CountryDirectory,
  countryDirectory,
} from "../../../services/profile/country/country-directory.rules.ts";
import type {
  Identity,
  Person,
  PersonInput,
  Profile,
} from "../../../services/profile/record/profile.types.ts";

type Address = Profile["addresses"][number];
type DocumentSummary = Profile["documents"][number];

const MADE_AT = "2026-01-01T00:00:00.000Z";

export const seedCountries = (now: () => number = Date.now): CountryDirectory =>
  countryDirectory(
    Object.entries(COUNTRY_SEED).map(([code, row]) => configOfSeed(code, row, MADE_AT)),
    now,
  );

export const aStoredAddress = (changes: Partial<Address> = {}): Address => ({
  streetLine1: "12 Marina Road",
  streetLine2: null,
  city: "Lagos",
  state: "Lagos",
  postalCode: "101241",
  countryCode: "NGA",
  ...changes,
});

export const anIdentity = (changes: Partial<Identity> = {}): Identity => ({
  identityTypeCode: "NATIOANL_ID",
  issuingCountry: "NGA",
  documentUploadId: null,
  issueDate: null,
  expiryDate: null,
  remarks: [],
  lastFour: "8901",
  ...changes,
});

export const aPersonInput = (changes: Partial<PersonInput> = {}): PersonInput => ({
  uboId: null,
  firstName: "Amina",
  middleName: null,
  lastName: "Okafor",
  birthDate: "1984-07-19",
  nationality: "NGA",
  taxResidenceCountry: "NGA",
  placeOfBirthCountry: null,
  email: "amina@harbourfoods.example",
  phone: "+2348012345678",
  jobTitle: null,
  ownershipType: ["SHAREHOLDER", "UBO"],
  percentageShare: 30,
  isPoliticallyExposed: null,
  isAuthorizedSignatory: null,
  taxIdentificationNumber: null,
  address: aStoredAddress(),
  identities: [],
  ...changes,
});

export function aStoredPerson(uboId: string, changes: Partial<Person> = {}): Person {
  const { taxIdentificationNumber: _number, identities: _identities, ...facts } = aPersonInput();
  return {
    ...facts,
    uboId,
    addedAt: MADE_AT,
    removedAt: null,
    taxNumberLastFour: null,
    identities: [],
    sealedNumbers: `sealed-${uboId}`,
    ...changes,
  };
}

export const aDocumentSummary = (changes: Partial<DocumentSummary> = {}): DocumentSummary => ({
  documentId: "d1",
  documentCategory: "BankStatement",
  contentType: "application/pdf",
  sizeBytes: 12,
  uboId: null,
  status: "Confirmed",
  reason: null,
  uploadedAt: "2026-01-02T03:04:05.000Z",
  confirmedAt: "2026-01-02T03:04:06.000Z",
  ...changes,
});

export const aStoredProfile = (changes: Partial<Profile> = {}): Profile => ({
  _id: "0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e",
  partnerId: "partner-1",
  partnerCustomerId: "cust-1",
  sealedKey: "sealed-key",
  email: "office@harbourfoods.example",
  phoneNumber: "+2348098765432",
  companyName: "Harbour Foods Limited",
  companyNameKey: "harbour foods limited",
  tradingName: "Harbour",
  businessTypeCode: "PrivateLimitedCompany",
  incorporationCountryIso3Code: "NGA",
  industry: "TradingIncome",
  description: null,
  website: "https://harbourfoods.example/about",
  registrationNumber: "RC1234567",
  registrationDate: null,
  addresses: [],
  financials: null,
  people: [],
  documents: [],
  verificationStatus: "PendingVerification",
  reviewStage: "Queued",
  claim: null,
  submittedAt: MADE_AT,
  statusChangedAt: MADE_AT,
  decidedAt: null,
  decision: null,
  changeRequests: [],
  openChangeRequestCount: 0,
  history: [{ status: "PendingVerification", at: MADE_AT }],
  version: 1,
  sequence: 1,
  createdAt: MADE_AT,
  updatedAt: MADE_AT,
  ...changes,
});
