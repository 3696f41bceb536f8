/** A business profile as stored. Times are ISO strings. */

import type { CaseNote, CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type {
  Address,
  BusinessFields,
  Financials,
  IdentityFacts,
  PersonFacts,
  ReviewState,
} from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { ChangeRequest, Decision } from "../../../shared/contract/answers/verification.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import type { VerificationStatus } from "../../../shared/contract/vocabularies.ts";
import type { Violation } from "../../../shared/errors.ts";

/** Remarks are for the analyst, such as a check digit that does not fit. */
type CheckedIdentity = IdentityFacts & { remarks: string[] };
export type IdentityInput = CheckedIdentity & { identityValue: string };
export type PersonInput = PersonFacts & {
  /** Names a stored person in a replacement. */
  uboId: string | null;
  taxIdentificationNumber: string | null;
  identities: IdentityInput[];
};

/** The last four characters are stored in the clear, so that reads need no key. */
export type Identity = CheckedIdentity & { lastFour: string };
export type Person = PersonFacts & {
  uboId: string;
  addedAt: string;
  /** Set when a replacement left the person out: gone from reads, kept for audit. */
  removedAt: string | null;
  taxNumberLastFour: string | null;
  identities: Identity[];
  sealedNumbers: string;
};

/** A person who was removed and whose retention has ended. */
export type FormerPerson = Pick<Person, "uboId" | "addedAt" | "removedAt">;

export type Claim = { analystId: string; analystEmail: string; claimedAt: string; leaseUntil: string };

/** First answer to a request with an Idempotency-Key. */
export type KeptAnswer = {
  key: string;
  at: string;
  /** Fingerprint of the request, to detect another request with the key. */
  sealedFingerprint: string;
  value: unknown;
  warnings: Violation[];
};

/** Everything but the arrays that are only ever appended to. */
export type Profile = BusinessFields &
  ReviewState & {
    _id: string;
    partnerId: string;
    partnerCustomerId: string;
    /** The key that seals this customer's numbers, itself sealed by a field key. */
    sealedKey: string;
    /** companyName folded, for search. */
    companyNameKey: string;
    addresses: Address[];
    financials: Financials | null;
    people: Person[];
    /** Absent where there is none. */
    formerPeople?: FormerPerson[];
    documents: DocumentSummary[];
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
    /** Only of a test partner. */
    isTest?: true;
    /** Documents of `documents` that a simulated review made; there are no files. */
    simulatedDocumentIds?: string[];
    /** Only where requests with an Idempotency-Key wrote. */
    keptAnswers?: KeptAnswer[];
  };

export type StoredProfile = Profile & {
  audit: CustomerAuditEntry[];
  outbox: OutboxEntry[];
  /** Notes among analysts; a note is no change of the customer, so its version stays. */
  notes?: CaseNote[];
};
