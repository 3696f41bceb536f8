/** Requests and answers of the profile service. */
import type { PlainError } from "../../moleculer/grouped-call.ts";
import type { Called, CommonActions, Grouped, Routed } from "./action.ts";
import type { AuditEntry, AuditLinks, AuditLinksQuery, AuditQuery } from "./audit.ts";
import type {
  CaseDetail,
  CaseNote,
  CaseSummary,
  Customer,
  CustomerChange,
  CustomerItem,
  CustomerPatch,
  IdentityType,
  NamedCase,
  PersonChange,
  RevealedIdentity,
  ReviewStage,
  TargetKind,
  Verification,
} from "./customer.ts";
import type { DocumentSummary, ViewLink } from "./document.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

/** By number a page has a total; by cursor it has neither number nor total. */
type Page<T> = {
  items: T[];
  page: number | null;
  pageSize: number;
  total: number | null;
  nextCursor: string | null;
};
export type CustomerList = Page<CustomerItem>;
export type CaseList = Page<NamedCase>;

/** No number is counted further than the last one says. */
export type CaseCounts = Record<ReviewStage | "mine" | "countedUpTo", number>;

/** The check digit rules of identity numbers. */
export const CHECK_NAMES = [
  "luhn",
  "verhoeff",
  "zwe",
  "mus",
  "esp",
  "mod97Bel",
  "prt",
  "pesel",
  "sgp",
  "hkg",
  "chn",
  "cpf",
  "tur",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** What a country accepts as one kind of identity. */
export type DocumentRule = {
  identityTypeCode: IdentityType;
  label: string;
  pattern: string;
  minLength: number;
  maxLength: number;
  requiresIssueDate: boolean;
  requiresExpiryDate: boolean;
  requiresDocument: boolean;
  issuingCountryRule: "ResidenceOnly" | "Any";
  check: CheckName | null;
  /** True: a wrong check digit refuses. False: it is a remark for the analyst. */
  checkRefuses: boolean;
};

/** One version of a country's configuration; versions are added, never changed. */
export type CountryConfig = {
  countryCode: string;
  version: number;
  active: boolean;
  validFrom: string;
  validTo: string | null;
  documents: DocumentRule[];
  changedBy: string;
  changedAt: string;
  reason: string;
};

/** The identities that people living in a country can use, in the shape of the legacy list. */
export type IdentityRequirements = {
  countryCode: string;
  countryName: string;
  configVersion: number;
  minimumIdentities: number;
  items: (Pick<
    DocumentRule,
    | "identityTypeCode"
    | "label"
    | "requiresIssueDate"
    | "requiresExpiryDate"
    | "requiresDocument"
    | "issuingCountryRule"
  > & {
    identityType: string;
    fieldName: string;
    inputType: "Input";
    isRequired: boolean;
    placeholder: string;
    requiresIdNumber: boolean;
    validationRules: { regex: string; minLength: number; maxLength: number; errorMessage: string };
    displayOrder: number;
  })[];
};

export type UploadQuestion = {
  customerId: string;
  partnerId: string;
  uboId: string | null;
  /** The Idempotency-Key of the request. Null as documentId: only whether the key has an answer. */
  keyed?: { key: string; fingerprint: string; documentId: string | null } | null;
};
/** For each question why not, or null; and the document that its key names, or null. */
export type UploadAnswers = { refusals: (PlainError | null)[]; documentIds: (string | null)[] };

/** What is left out stays as it was. */
type ConfigChange = {
  countryCode: string;
  operator?: string;
  reason: string;
  documents?: unknown[];
  active?: boolean;
};

/** By the request of the partner it belongs to. */
type ErasureRequest = { customerId: string; partnerId: string; operator: string; reason: string };

/** Finished when the document service knows; otherwise it is told later. */
export type Erasure = { customerId: string; partnerId: string; erasedAt: string; finished: boolean };

type Items<T> = { items: readonly T[] };

/** As partners see it. */
export type CountryView = { code: string; name: string; residentsAccepted: boolean };

/** The closed lists that forms offer. */
export type Vocabularies = {
  reasonCodes: readonly string[];
  /** What a change request can be about, with the fields that a change answers. */
  targets: readonly { kind: TargetKind; fields: readonly string[] }[];
  businessDocumentCategories: readonly string[];
  personDocumentCategories: readonly string[];
  contentTypes: readonly string[];
  identityTypes: readonly string[];
  ownershipTypes: readonly string[];
  verificationStatuses: readonly string[];
  reviewStages: readonly string[];
  businessTypes: readonly { code: string; name: string }[];
  countries: readonly CountryView[];
};

/** The partner leads to the shard; a release before this was so named none. */
export type DocumentNews = { customerId: string; partnerId?: string; document: DocumentSummary };
export type EventConfirmation = { eventIds: readonly string[]; partnerIds?: readonly string[] };

export type ProfileActions = CommonActions & {
  auditEntries: Called<AuditQuery, { items: AuditEntry[] }>;
  auditLinks: Called<AuditLinksQuery, AuditLinks>;
  create: Grouped;
  replace: Routed<CustomerChange>;
  patch: Routed<CustomerPatch>;
  patchPerson: Routed<PersonChange>;
  simulate: Routed<Verification>;
  list: Routed<CustomerList>;
  get: Routed<Customer>;
  getByReference: Routed<Customer>;
  verificationStatus: Routed<Verification>;
  identityRequirements: Routed<IdentityRequirements>;
  countries: Routed<Items<CountryView>>;
  businessTypes: Routed<Items<{ code: string; name: string }>>;
  vocabularies: Routed<Vocabularies>;
  listCases: Routed<CaseList>;
  countCases: Routed<CaseCounts>;
  getCase: Routed<CaseDetail>;
  /** Null when nothing waits. */
  claimNextCase: Routed<CaseSummary | null>;
  addNote: Routed<CaseNote>;
  claimCase: Routed<CaseSummary>;
  releaseCase: Routed<CaseSummary>;
  requestChanges: Routed<CaseSummary>;
  approveCase: Routed<CaseSummary>;
  rejectCase: Routed<CaseSummary>;
  /** A link to look at a file; only after it stands in the audit trail. */
  viewDocument: Routed<ViewLink>;
  /** The whole number; only after it stands in the audit trail. */
  revealIdentity: Routed<RevealedIdentity>;
  listConfigs: Routed<Items<CountryConfig>>;
  changeConfig: Routed<CountryConfig>;
  /** For each question why this customer may not get documents now or for this person; null where it may. */
  uploadRefusals: Called<{ questions: readonly UploadQuestion[] }, UploadAnswers>;
  recordDocument: Called<DocumentNews, { recorded: boolean; version: number }>;
  confirmEvents: Called<EventConfirmation, { changed: number }>;
  sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
  eraseCustomer: Called<ErasureRequest, Erasure>;
  listCountryConfigs: Called<object, Items<CountryConfig>>;
  changeCountryConfig: Called<ConfigChange, CountryConfig>;
};
