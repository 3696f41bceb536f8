/** The closed lists of requests and answers, in their wire spelling. */

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

export const TEAM_ROLES = ["Owner", "Developer", "Viewer"] as const;

export const TARGET_KINDS = ["Business", "Person", "Identity", "Document"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const INDUSTRIES = [
  "CustomerRevenue",
  "ShareholderCapital",
  "BusinessLoans",
  "Grants",
  "Investments",
  "AssetSales",
  "CryptoProceeds",
  "IntercompanyTransfers",
  "Donations",
  "MarketplaceFees",
  "SubscriptionRevenue",
  "TradingIncome",
] as const;

export const MONTHLY_TURNOVERS = ["UpTo15k", "UpTo50k", "UpTo100k", "UpTo500k", "Above500k"] as const;

export const TRANSACTION_VALUES = ["UpTo5k", "UpTo15k", "UpTo50k", "UpTo100k", "Above100k"] as const;

export const ACCOUNT_PURPOSES = [
  "CustomerCollections",
  "Payroll",
  "SupplierPayments",
  "MarketplaceSettlements",
  "EscrowHolding",
  "SubscriptionBilling",
  "CrossBorderTrade",
  "FxSettlement",
  "CryptoOnRamp",
  "CryptoOffRamp",
  "Donations",
  "InvestmentHolding",
  "AffiliatePayouts",
  "MerchantPayouts",
  "InternalTreasury",
] as const;

export const BUSINESS_TYPES = [
  { code: "SoleProprietor", name: "Sole proprietor" },
  { code: "Partnership", name: "Partnership" },
  { code: "LimitedPartnership", name: "Limited partnership" },
  { code: "LLP", name: "Limited liability partnership" },
  { code: "LLC", name: "Limited liability company" },
  { code: "PrivateLimitedCompany", name: "Private limited company" },
  { code: "PublicLimitedCompany", name: "Public limited company" },
  { code: "Corporation", name: "Corporation" },
  { code: "NonProfit", name: "Non-profit organisation" },
  { code: "Charity", name: "Charity" },
  { code: "Association", name: "Association" },
  { code: "Cooperative", name: "Cooperative" },
  { code: "Trust", name: "Trust" },
  { code: "Foundation", name: "Foundation" },
  { code: "GovernmentEntity", name: "Government entity" },
  { code: "StateOwnedEnterprise", name: "State-owned enterprise" },
  {
    code: "FinancialInstitution",
    name: "Bank, microfinance bank or other licensed financial services provider",
  },
  { code: "Branch", name: "Branch of a foreign company" },
  { code: "FreeZoneCompany", name: "Free zone company" },
  { code: "Other", name: "Other" },
] as const;

export type BusinessType = (typeof BUSINESS_TYPES)[number]["code"];

const BUSINESS_TYPE_BY_KEY: ReadonlyMap<string, BusinessType> = new Map(
  BUSINESS_TYPES.map(({ code }) => [code.toLowerCase(), code]),
);

/** Finds the stored spelling of a business type in any case. */
export const businessTypeCode = (given: string): BusinessType | undefined =>
  BUSINESS_TYPE_BY_KEY.get(given.toLowerCase());

export const REASON_CODES = [
  "Document.Unreadable",
  "Document.Expired",
  "Document.WrongType",
  "Document.Missing",
  "Document.NameMismatch",
  "Document.AddressMismatch",
  "Business.NotFoundInRegistry",
  "Business.NameMismatch",
  "Business.RegistrationNumberMismatch",
  "Business.OwnershipUnclear",
  "Business.SourceOfFundsUnclear",
  "Business.ProhibitedActivity",
  "Person.IdentityMismatch",
  "Person.IdentityNumberInvalid",
  "Person.Missing",
  "Risk.PolicyDecision",
  "Other",
] as const;

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

export const BUSINESS_DOCUMENT_CATEGORIES = [
  "CertificateOfIncorporation",
  "MemorandumAndArticles",
  "BusinessLicense",
  "ProofOfBusinessAddress",
  "ShareholderRegister",
  "DirectorRegister",
  "OwnershipStructure",
  "TaxCertificate",
  "BankStatement",
  "FinancialStatement",
  "SourceOfFundsProof",
  "BoardResolution",
  "RegulatoryLicense",
  "AmlPolicy",
  "Other",
] as const;

/** These belong to one person of the business. */
export const PERSON_DOCUMENT_CATEGORIES = [
  "IdentityFront",
  "IdentityBack",
  "ProofOfAddress",
  "Selfie",
  "SourceOfWealthProof",
] as const;

export const DOCUMENT_CATEGORIES = [...BUSINESS_DOCUMENT_CATEGORIES, ...PERSON_DOCUMENT_CATEGORIES] as const;
export type DocumentCategory = (typeof DOCUMENT_CATEGORIES)[number];

export const CONTENT_TYPES = ["application/pdf", "image/jpeg", "image/png"] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/**
 * Expired is not final: storage refuses late uploads itself, so a file that turns up was sent in time.
 * Missing: the document was confirmed and its file is no longer in storage.
 */
export type DocumentStatus =
  | "AwaitingUpload"
  | "Confirmed"
  | "Rejected"
  | "Superseded"
  | "Expired"
  | "Missing";

/** Mismatch: not the size or the SHA-256 that its link was asked for. */
export type RejectionReason = "WrongType" | "TooLarge" | "Empty" | "Mismatch" | "Malware";
export type MissingReason = "Deleted" | "Overwritten";

export const DELIVERY_STATUSES = ["Pending", "Delivered", "Exhausted"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const ATTEMPT_ERROR_KINDS = [
  /** A deadline passed: the connection's or the whole attempt's. */
  "Timeout",
  /** The host could not be resolved, or not in time. */
  "Dns",
  /** No connection, one that broke before the answer, or an answer that is not HTTP. */
  "Connect",
  "Tls",
  "HttpStatus",
  "Redirect",
  "UrlNotPublic",
] as const;
export type AttemptErrorKind = (typeof ATTEMPT_ERROR_KINDS)[number];

/** The first digit of the response status; none without a response. */
export const RESPONSE_CLASSES = ["2xx", "3xx", "4xx", "5xx", "none"] as const;
export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

/** EndpointDisabled: the endpoint was disabled before the attempt. */
export const FAILURE_KINDS = [...ATTEMPT_ERROR_KINDS, "EndpointDisabled"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export const REPLAY_STATES = ["Running", "Finished", "Stopped"] as const;

export const STATISTICS_INTERVALS = ["hour", "day"] as const;
export type StatisticsInterval = (typeof STATISTICS_INTERVALS)[number];

export const ENDPOINT_STATUSES = ["Active", "Degraded", "Disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export const DISABLED_REASONS = ["ConsecutiveFailures", "EndpointGone", "UrlNotPublic", "Person"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];
