/** What a business profile is, inside the service and in the database. Times are ISO strings. */
import type { OutboxEntry } from "../../../shared/events/events.ts";
import type {
  IdentityType,
  OwnershipType,
  ReviewStage,
  TargetKind,
  VerificationStatus,
} from "./vocabularies.rules.ts";

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

type IdentityFacts = {
  identityTypeCode: IdentityType;
  issuingCountry: string;
  documentUploadId: string | null;
  issueDate: string | null;
  expiryDate: string | null;
  /** For the analyst, such as a check digit that does not fit. */
  remarks: string[];
};

type PersonFacts = {
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

export type IdentityInput = IdentityFacts & { identityValue: string };
export type PersonInput = PersonFacts & {
  /** Names a stored person in a replacement. */
  uboId: string | null;
  taxIdentificationNumber: string | null;
  identities: IdentityInput[];
};

/** What a mask shows of a number lies beside the sealed ones, so that reads need no key. */
export type Identity = IdentityFacts & { lastFour: string };
export type Person = PersonFacts & {
  uboId: string;
  addedAt: string;
  /** Set when a replacement left the person out: gone from reads, kept for audit. */
  removedAt: string | null;
  taxNumberLastFour: string | null;
  identities: Identity[];
  sealedNumbers: string;
};

export type DocumentSummary = {
  documentId: string;
  documentCategory: string;
  contentType: string;
  sizeBytes: number | null;
  uboId: string | null;
  status: string;
  reason: string | null;
  uploadedAt: string | null;
  confirmedAt: string | null;
};

export type ChangeTarget = {
  kind: TargetKind;
  uboId: string | null;
  documentCategory: string | null;
  field: string | null;
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

export type Claim = { analystId: string; analystEmail: string; claimedAt: string; leaseUntil: string };

export type AuditActor = { kind: "partner" | "analyst" | "system"; id: string };

export type AuditEntry = {
  /** The version of the customer that it made; so entries are numbered without a gap. */
  version: number;
  at: string;
  actor: AuditActor;
  action: string;
  from: { verificationStatus: VerificationStatus; reviewStage: ReviewStage } | null;
  to: { verificationStatus: VerificationStatus; reviewStage: ReviewStage };
  requestId: string;
  /** Names of changed fields, a note of the analyst: never a value of a person. */
  detail: Record<string, unknown>;
};

/** Everything but the two arrays that are only ever appended to. */
export type Profile = BusinessFields & {
  _id: string;
  partnerId: string;
  partnerCustomerId: string;
  /** companyName folded, for search. */
  companyNameKey: string;
  addresses: Address[];
  financials: Financials | null;
  people: Person[];
  documents: DocumentSummary[];
  verificationStatus: VerificationStatus;
  reviewStage: ReviewStage;
  claim: Claim | null;
  submittedAt: string;
  statusChangedAt: string;
  decidedAt: string | null;
  decision: Decision | null;
  changeRequests: ChangeRequest[];
  openChangeRequestCount: number;
  history: { status: VerificationStatus; at: string }[];
  /** Rises by one with every change. */
  version: number;
  /** Number of the last event. */
  sequence: number;
  createdAt: string;
  updatedAt: string;
};

export type StoredProfile = Profile & { audit: AuditEntry[]; outbox: OutboxEntry[] };
