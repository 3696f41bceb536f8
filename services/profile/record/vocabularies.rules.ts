/** The closed lists of the API, in their wire spelling. */

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

export const SOURCES_OF_FUNDS = INDUSTRIES;

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

const BUSINESS_TYPE_BY_KEY: ReadonlyMap<string, string> = new Map(
  BUSINESS_TYPES.map(({ code }) => [code.toLowerCase(), code]),
);

/** The stored spelling of a business type, whatever the case it came in. */
export const businessTypeCode = (given: string): string | undefined =>
  BUSINESS_TYPE_BY_KEY.get(given.toLowerCase());

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

/** Those of the document service. */
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

export const PERSON_DOCUMENT_CATEGORIES = [
  "IdentityFront",
  "IdentityBack",
  "ProofOfAddress",
  "Selfie",
  "SourceOfWealthProof",
] as const;

export const TARGET_KINDS = ["Business", "Person", "Identity", "Document"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

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
