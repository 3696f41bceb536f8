/** The closed lists of the bodies, in their wire spelling; those that answers need too stand in shared. */

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

const BUSINESS_TYPE_BY_KEY: ReadonlyMap<string, string> = new Map(
  BUSINESS_TYPES.map(({ code }) => [code.toLowerCase(), code]),
);

/** The stored spelling of a business type, whatever the case it came in. */
export const businessTypeCode = (given: string): string | undefined =>
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
