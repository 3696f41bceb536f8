/** Requests and answers of the profile service. */
import type { PlainError } from "../../moleculer/grouped-call.ts";
import type {
  caseCountsValue,
  caseDetailValue,
  caseListValue,
  caseOrNothing,
  caseValue,
  noteValue,
  revealedIdentityValue,
} from "../answers/case.ts";
import type {
  businessTypesValue,
  CountryConfig,
  configListValue,
  configValue,
  countriesValue,
  requirementsValue,
  vocabulariesValue,
} from "../answers/country.ts";
import type {
  patchPersonValue,
  patchValue,
  profileListValue,
  profileValue,
  replaceValue,
} from "../answers/customer.ts";
import type { DocumentSummary, viewLinkValue } from "../answers/document.ts";
import type { verificationValue } from "../answers/verification.ts";
import type { Called, CommonActions, Grouped, Routed } from "./action.ts";
import type { TrailActions } from "./audit.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

export type UploadQuestion = {
  customerId: string;
  partnerId: string;
  uboId: string | null;
  /** The Idempotency-Key of the request. Null as documentId: only whether the key has an answer. */
  keyed?: { key: string; fingerprint: string; documentId: string | null } | null;
};
/** For each question the refusal or null, and the document that its key names or null. */
export type UploadAnswers = { refusals: (PlainError | null)[]; documentIds: (string | null)[] };

/** An absent field stays as it was. */
type ConfigChange = {
  countryCode: string;
  operator?: string;
  reason: string;
  documents?: unknown[];
  active?: boolean;
};

/** Asked for by the partner that owns the customer. */
type ErasureRequest = { customerId: string; partnerId: string; operator: string; reason: string };

/** Finished once the document service has confirmed; otherwise the sweep repeats the call. */
export type Erasure = { customerId: string; partnerId: string; erasedAt: string; finished: boolean };

/** The partner leads to the shard. */
export type DocumentNews = { customerId: string; partnerId: string; document: DocumentSummary };
type EventConfirmation = { eventIds: readonly string[]; partnerIds: readonly string[] };

export type ProfileActions = CommonActions &
  TrailActions & {
    create: Grouped;
    replace: Routed<typeof replaceValue>;
    patch: Routed<typeof patchValue>;
    patchPerson: Routed<typeof patchPersonValue>;
    simulate: Routed<typeof verificationValue>;
    list: Routed<typeof profileListValue>;
    get: Routed<typeof profileValue>;
    getByReference: Routed<typeof profileValue>;
    verificationStatus: Routed<typeof verificationValue>;
    identityRequirements: Routed<typeof requirementsValue>;
    countries: Routed<typeof countriesValue>;
    businessTypes: Routed<typeof businessTypesValue>;
    vocabularies: Routed<typeof vocabulariesValue>;
    listCases: Routed<typeof caseListValue>;
    countCases: Routed<typeof caseCountsValue>;
    getCase: Routed<typeof caseDetailValue>;
    /** Null without an unclaimed case. */
    claimNextCase: Routed<typeof caseOrNothing>;
    addNote: Routed<typeof noteValue>;
    claimCase: Routed<typeof caseValue>;
    releaseCase: Routed<typeof caseValue>;
    requestChanges: Routed<typeof caseValue>;
    approveCase: Routed<typeof caseValue>;
    rejectCase: Routed<typeof caseValue>;
    /** A link to a file; given only after the audit log has the entry. */
    viewDocument: Routed<typeof viewLinkValue>;
    /** The whole number; given only after the audit log has the entry. */
    revealIdentity: Routed<typeof revealedIdentityValue>;
    listConfigs: Routed<typeof configListValue>;
    changeConfig: Routed<typeof configValue>;
    /** Whether these customers may get documents now, and for these people. */
    uploadRefusals: Called<{ questions: readonly UploadQuestion[] }, UploadAnswers>;
    recordDocument: Called<DocumentNews, { recorded: boolean; version: number }>;
    confirmEvents: Called<EventConfirmation, { changed: number }>;
    sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
    eraseCustomer: Called<ErasureRequest, Erasure>;
    listCountryConfigs: Called<object, { items: CountryConfig[] }>;
    changeCountryConfig: Called<ConfigChange, CountryConfig>;
  };
