/** Examples of the API document; tests send them. */
const address = {
  streetLine1: "12 Marina Road",
  streetLine2: "Suite 4",
  city: "Lagos",
  state: "Lagos",
  postalCode: "101241",
  countryCode: "NGA",
};
const financials = {
  monthlyTurnOver: "UpTo100k",
  estimatedTransactionValue: "UpTo15k",
  sourceOfFunds: "CustomerRevenue",
  purposeOfAccount: "SupplierPayments",
};
const person = {
  firstName: "Amina",
  lastName: "Okafor",
  birthDate: "1984-07-19",
  nationality: "NGA",
  email: "amina@harbourfoods.example",
  phone: "+2348012345678",
  ownershipType: ["SHAREHOLDER", "UBO"],
  percentageShare: 60,
  address,
  identities: [
    { identityTypeCode: "NATIOANL_ID", issuingCountry: "NGA", identityValue: "12345678901" },
    {
      identityTypeCode: "PASSPORT",
      issuingCountry: "NGA",
      identityValue: "A01234567",
      expiryDate: "2035-02-28",
    },
  ],
};
const business = {
  phoneNumber: "+2348098765432",
  tradingName: "Harbour",
  businessTypeCode: "PrivateLimitedCompany",
  incorporationCountryIso3Code: "NGA",
  industry: "TradingIncome",
  description: "Imports and distributes frozen food in West Africa.",
  website: "https://harbourfoods.example",
  registrationDate: "2015-05-20",
};
const named = { email: "office@harbourfoods.example", companyName: "Harbour Foods Limited" };

const ids = {
  customerId: "0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e",
  partnerCustomerId: "cust-2041",
};
const uboId = "0190b5c8-7f3a-7d11-8a2f-1c0d5e6f7a8b";
const pending = { verificationStatus: "PendingVerification" };
const ubo = { uboId, firstName: person.firstName, lastName: person.lastName, email: person.email };
const at = "2026-01-15T10:00:00.000Z";

export const createExample = {
  body: {
    partnerCustomerId: ids.partnerCustomerId,
    ...named,
    ...business,
    registrationNumber: "RC1234567",
    addresses: [address],
    financials,
    businessPersonList: [person],
  },
  value: { ...ids, ...pending, ubos: [ubo], createdAt: at },
};

export const replaceExample = {
  body: {
    customerId: ids.customerId,
    businessEmail: named.email,
    name: named.companyName,
    ...business,
    registrationNumber: "RC1234567",
    businessPersonList: [{ uboId, ...person }],
  },
  value: { ...ids, ...pending, version: 2 },
};

export const patchExample = {
  body: {
    website: "https://www.harbourfoods.example",
    businessPersonList: [{ ...person, email: "tunde@harbourfoods.example" }],
  },
  value: {
    ...ids,
    ...pending,
    ubos: [{ ...ubo, email: "tunde@harbourfoods.example" }],
    confirmedDocumentIds: [],
    changedFields: ["website", "businessPersonList"],
    version: 3,
  },
};

export const patchPersonExample = { ...ids, ...pending, version: 4, uboId, changedFields: ["lastName"] };

const masked = (identity: { identityValue: string }) => ({
  issueDate: null,
  expiryDate: null,
  ...identity,
  identityValue: `****${identity.identityValue.slice(-4)}`,
  documentUploadId: null,
  documentStatus: null,
});

export const profileExample = {
  ...ids,
  ...pending,
  reviewStage: "Queued",
  ...named,
  ...business,
  registrationNumber: "RC1234567",
  addresses: [address],
  financials,
  businessPersonList: [
    {
      uboId,
      middleName: null,
      taxResidenceCountry: null,
      placeOfBirthCountry: null,
      jobTitle: null,
      isPoliticallyExposed: null,
      isAuthorizedSignatory: null,
      taxIdentificationNumber: null,
      ...person,
      identities: person.identities.map(masked),
    },
  ],
  documents: [],
  test: false,
  openChangeRequestCount: 0,
  version: 1,
  createdAt: at,
  updatedAt: at,
};

export const verificationExample = {
  ...ids,
  verificationStatus: "ChangesRequested",
  reviewStage: "AwaitingPartner",
  submittedAt: at,
  statusChangedAt: "2026-01-15T14:30:00.000Z",
  decidedAt: null,
  decision: null,
  changeRequests: [
    {
      changeRequestId: "0190b6b1-0c44-7a55-b1d2-7e8f9a0b1c2d",
      target: { kind: "Document", uboId: null, documentCategory: "CertificateOfIncorporation", field: null },
      reasonCode: "Document.Unreadable",
      message: "The scan is cut off at the bottom.",
      status: "Open",
      requestedAt: "2026-01-15T14:30:00.000Z",
      respondedAt: null,
    },
  ],
  missingDocuments: [],
  history: [
    { status: "PendingVerification", at },
    { status: "ChangesRequested", at: "2026-01-15T14:30:00.000Z" },
  ],
  version: 4,
};

export const requestChangesExample = {
  items: [
    {
      target: { kind: "Document", documentCategory: "CertificateOfIncorporation" },
      reasonCode: "Document.Unreadable",
      message: "The scan is cut off at the bottom.",
    },
  ],
};

export const rejectExample = {
  reasons: [{ code: "Business.ProhibitedActivity", message: "Outside our policy." }],
};
