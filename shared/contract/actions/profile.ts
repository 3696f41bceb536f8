/** Requests and answers of the profile service. */
import type { PlainError } from "../../moleculer/grouped-call.ts";
import {
  caseCountsValue,
  caseDetailValue,
  caseListValue,
  caseOrNothing,
  caseValue,
  noteValue,
  revealedIdentityValue,
} from "../answers/case.ts";
import {
  businessTypesValue,
  type CountryConfig,
  configListValue,
  configValue,
  countriesValue,
  requirementsValue,
  vocabulariesValue,
} from "../answers/country.ts";
import {
  createValue,
  patchPersonValue,
  patchValue,
  profileListValue,
  profileValue,
  replaceValue,
} from "../answers/customer.ts";
import { type DocumentSummary, viewLinkValue } from "../answers/document.ts";
import { verificationValue } from "../answers/verification.ts";
import {
  ANALYST,
  calledBy,
  commonActions,
  grouped,
  READ,
  READ_AND_SEE,
  routed,
  SIGNED_IN,
  WRITE,
} from "./action.ts";
import { trailActions } from "./audit.ts";
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

const byAdmin = calledBy("admin");
const byDocument = calledBy("document");
const byDelivery = calledBy("delivery");

export const profileActions = {
  ...commonActions,
  ...trailActions,
  create: grouped(WRITE, createValue),
  replace: routed(WRITE, replaceValue),
  patch: routed(WRITE, patchValue),
  patchPerson: routed(WRITE, patchPersonValue),
  simulate: routed(WRITE, verificationValue),
  list: routed(READ_AND_SEE, profileListValue),
  get: routed(READ_AND_SEE, profileValue),
  getByReference: routed(READ_AND_SEE, profileValue),
  verificationStatus: routed(READ_AND_SEE, verificationValue),
  identityRequirements: routed(READ, requirementsValue),
  countries: routed(READ, countriesValue),
  businessTypes: routed(READ, businessTypesValue),
  vocabularies: routed(SIGNED_IN, vocabulariesValue),
  listCases: routed(ANALYST, caseListValue),
  countCases: routed(ANALYST, caseCountsValue),
  getCase: routed(ANALYST, caseDetailValue),
  /** Null without an unclaimed case. */
  claimNextCase: routed(ANALYST, caseOrNothing),
  addNote: routed(ANALYST, noteValue),
  claimCase: routed(ANALYST, caseValue),
  releaseCase: routed(ANALYST, caseValue),
  requestChanges: routed(ANALYST, caseValue),
  approveCase: routed(ANALYST, caseValue),
  rejectCase: routed(ANALYST, caseValue),
  /** A link to a file; given only after the audit log has the entry. */
  viewDocument: routed(ANALYST, viewLinkValue),
  /** The whole number; given only after the audit log has the entry. */
  revealIdentity: routed(ANALYST, revealedIdentityValue),
  listConfigs: routed(ANALYST, configListValue),
  changeConfig: routed(ANALYST, configValue),
  /** Whether these customers may get documents now, and for these people. */
  uploadRefusals: byDocument<{ questions: readonly UploadQuestion[] }, UploadAnswers>(),
  recordDocument: byDocument<DocumentNews, { recorded: boolean; version: number }>(),
  confirmEvents: byDelivery<EventConfirmation, { changed: number }>(),
  sweepFieldKeys: byAdmin<KeySweepRequest, KeySweep>(),
  eraseCustomer: byAdmin<ErasureRequest, Erasure>(),
  listCountryConfigs: byAdmin<object, { items: CountryConfig[] }>(),
  changeCountryConfig: byAdmin<ConfigChange, CountryConfig>(),
};
