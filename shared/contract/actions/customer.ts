/** A business customer as it is read: the names of the create body, numbers masked, absent values null. */
import type { DocumentSummary } from "./document.ts";

export const VERIFICATION_STATUSES = [
  "NotStarted",
  "PendingVerification",
  "StartedNotCompleted",
  "ChangesRequested",
  "Approved",
  "Rejected",
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const REVIEW_STAGES = ["Queued", "UnderReview", "AwaitingPartner", "Closed"] as const;
export type ReviewStage = (typeof REVIEW_STAGES)[number];

export const OWNERSHIP_TYPES = ["SHAREHOLDER", "DIRECTOR", "UBO"] as const;
export type OwnershipType = (typeof OWNERSHIP_TYPES)[number];

/** NATIOANL_ID is how the wire spells it. */
export const IDENTITY_TYPES = [
  "PASSPORT",
  "NATIOANL_ID",
  "DRIVING_LICENCE",
  "IDENTITY_CARD",
  "RESIDENCE_CARD",
  "VOTER_CARD",
  "BVN",
  "OTHERS",
] as const;
export type IdentityType = (typeof IDENTITY_TYPES)[number];

export const TARGET_KINDS = ["Business", "Person", "Identity", "Document"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export type Address = {
  streetLine1: string;
  streetLine2: string | null;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
};

export type Financials = {
  monthlyTurnOver: string;
  estimatedTransactionValue: string;
  sourceOfFunds: string;
  purposeOfAccount: string;
};

/** The fields of the business itself, under the names of the create body. */
export type BusinessFields = {
  email: string;
  phoneNumber: string | null;
  companyName: string;
  tradingName: string | null;
  businessTypeCode: string;
  incorporationCountryIso3Code: string;
  industry: string;
  description: string | null;
  website: string;
  registrationNumber: string;
  registrationDate: string | null;
};

export type IdentityFacts = {
  identityTypeCode: IdentityType;
  issuingCountry: string;
  documentUploadId: string | null;
  issueDate: string | null;
  expiryDate: string | null;
};

export type PersonFacts = {
  firstName: string;
  middleName: string | null;
  lastName: string;
  birthDate: string | null;
  nationality: string;
  taxResidenceCountry: string | null;
  placeOfBirthCountry: string | null;
  email: string;
  phone: string | null;
  jobTitle: string | null;
  ownershipType: OwnershipType[];
  percentageShare: number | null;
  isPoliticallyExposed: boolean | null;
  isAuthorizedSignatory: boolean | null;
  address: Address;
};

type IdentityView = IdentityFacts & { identityValue: string; documentStatus: string | null };

export type PersonView = PersonFacts & {
  uboId: string;
  taxIdentificationNumber: string | null;
  identities: IdentityView[];
};

export type ReviewState = { verificationStatus: VerificationStatus; reviewStage: ReviewStage };

type CustomerIds = { customerId: string; partnerCustomerId: string };

/** An entry of a list: without people, documents and financials. */
export type CustomerItem = CustomerIds &
  ReviewState &
  BusinessFields & {
    /** Of a test partner. */
    test: boolean;
    addresses: Address[];
    openChangeRequestCount: number;
    version: number;
    createdAt: string;
    updatedAt: string;
  };

export type Customer = CustomerItem & {
  financials: Financials | null;
  businessPersonList: PersonView[];
  documents: DocumentSummary[];
};

export type CustomerChange = CustomerIds & { verificationStatus: VerificationStatus; version: number };

/** A person as a change names it. */
type NamedUbo = { uboId: string; firstName: string; lastName: string; email: string };

export type CreatedCustomer = CustomerIds & {
  verificationStatus: VerificationStatus;
  /** In the order of the request. */
  ubos: NamedUbo[];
  createdAt: string;
};

export type CustomerPatch = CustomerChange & {
  /** The people that were added. */
  ubos: NamedUbo[];
  confirmedDocumentIds: string[];
  changedFields: readonly string[];
};

/** A corrected person. */
export type PersonChange = CustomerChange & { uboId: string; changedFields: readonly string[] };

export type ChangeTarget = {
  kind: TargetKind;
  uboId: string | null;
  documentCategory: string | null;
  field: string | null;
  /** Only of kind Identity: the one of the person that is meant. */
  identityTypeCode?: IdentityType;
  issuingCountry?: string;
};

export type ChangeRequest = {
  changeRequestId: string;
  target: ChangeTarget;
  reasonCode: string;
  message: string;
  /** Withdrawn: still open when the case was decided. */
  status: "Open" | "Answered" | "Withdrawn";
  requestedAt: string;
  respondedAt: string | null;
};

export type Decision = { outcome: "Approved" | "Rejected"; reasons: { code: string; message: string }[] };

export type MissingDocument = {
  uboId: string;
  identityTypeCode: IdentityType;
  documentUploadId: string | null;
  status: string;
};

export type Verification = CustomerIds &
  ReviewState & {
    submittedAt: string;
    statusChangedAt: string;
    decidedAt: string | null;
    decision: Decision | null;
    changeRequests: ChangeRequest[];
    missingDocuments: MissingDocument[];
    history: { status: VerificationStatus; at: string }[];
    version: number;
  };

/** A customer in the analysts' queue. */
export type CaseSummary = CustomerIds &
  ReviewState & {
    partnerId: string;
    companyName: string;
    claimedBy: string | null;
    claimedUntil: string | null;
    incorporationCountryIso3Code: string;
    test: boolean;
    submittedAt: string;
    /** What If-Match of a decision takes. */
    version: number;
  };

/** With the name of its partner; null when that cannot be found out at the moment. */
export type NamedCase = CaseSummary & { partnerName: string | null };

/** What analysts tell each other of a case. Partners never see it; entries are only added. */
export type CaseNote = { noteId: string; at: string; by: string; text: string };

/** Something that did not refuse the customer and that an analyst should look at. */
export type Remark = { code: string; uboId: string | null; field: string | null; message: string };

/** An identity whose number an analyst asked to see whole. */
export type RevealedIdentity = Pick<IdentityFacts, "identityTypeCode" | "issuingCountry"> & {
  identityValue: string;
};

export type AuditEntry = {
  /** The version of the customer that it made; so entries are numbered without a gap. */
  version: number;
  at: string;
  actor: { kind: "partner" | "analyst" | "system"; id: string };
  action: string;
  from: ReviewState | null;
  to: ReviewState;
  requestId: string;
  /** Names of changed fields, a note of the analyst: never a value of a person. */
  detail: Record<string, unknown>;
};

export type CaseDetail = NamedCase & {
  profile: Customer;
  verification: Verification;
  remarks: Remark[];
  notes: readonly CaseNote[];
  audit: readonly AuditEntry[];
};
