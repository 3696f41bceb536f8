/** Takes the known fields of a body that passed every check and drops the rest. */
import type { Address, BusinessFields, Financials } from "../../../shared/contract/answers/customer.ts";
import { type BusinessType, businessTypeCode } from "../../../shared/contract/vocabularies.ts";
import type { PersonInput } from "../record/profile.types.ts";
import { COUNTRY_NAMES } from "./business.rules.ts";
import { type PeopleContext, toAddress, toPerson } from "./people.rules.ts";

type Raw = Readonly<Record<string, unknown>>;

const CLEARABLE = ["phoneNumber", "tradingName", "description", "registrationDate"] as const;
const REQUIRED_TEXTS = ["email", "companyName", "industry", "website", "registrationNumber"] as const;

export function toBusiness(raw: Raw, names: { email: unknown; companyName: unknown }): BusinessFields {
  const text = (field: string) => (raw[field] ?? null) as string | null;
  return {
    email: names.email as string,
    phoneNumber: text("phoneNumber"),
    companyName: names.companyName as string,
    tradingName: text("tradingName"),
    businessTypeCode: businessTypeCode(raw.businessTypeCode as string) as BusinessType,
    incorporationCountryIso3Code: raw.incorporationCountryIso3Code as string,
    industry: raw.industry as BusinessFields["industry"],
    description: text("description"),
    website: raw.website as string,
    registrationNumber: raw.registrationNumber as string,
    registrationDate: text("registrationDate"),
  };
}

export function toChanges(raw: Raw): Partial<BusinessFields> {
  const changes: { [K in keyof BusinessFields]?: unknown } = {};
  for (const field of REQUIRED_TEXTS) if (typeof raw[field] === "string") changes[field] = raw[field];
  for (const field of CLEARABLE) if (raw[field] !== undefined) changes[field] = raw[field];
  const type = raw.businessTypeCode;
  if (typeof type === "string") changes.businessTypeCode = businessTypeCode(type);
  const country = raw[COUNTRY_NAMES[0]] ?? raw[COUNTRY_NAMES[1]];
  if (typeof country === "string") changes.incorporationCountryIso3Code = country;
  return changes as Partial<BusinessFields>;
}

export const toAddresses = (raw: Raw): Address[] | undefined =>
  (raw.addresses as Raw[] | null | undefined)?.map(toAddress);

export const toPeople = (raw: Raw, context: PeopleContext): PersonInput[] | undefined =>
  (raw.businessPersonList as Raw[] | null | undefined)?.map((person) => toPerson(person, context));

export function toFinancials(raw: Raw): Financials | undefined {
  const financials = raw.financials as Financials | null | undefined;
  if (!financials) return undefined;
  const { monthlyTurnOver, estimatedTransactionValue, sourceOfFunds, purposeOfAccount } = financials;
  return { monthlyTurnOver, estimatedTransactionValue, sourceOfFunds, purposeOfAccount };
}
