/** The known fields of a body that passed every check; everything else in it is dropped. */
import {
  type Address,
  BUSINESS_FIELDS,
  type BusinessFields,
  type Financials,
} from "../../../shared/contract/answers/customer.ts";
import { type BusinessType, businessTypeCode } from "../../../shared/contract/vocabularies.ts";
import type { Raw } from "../../../shared/is-record.ts";
import type { PersonInput } from "../record/profile.types.ts";
import { COUNTRY_NAMES } from "./business.rules.ts";
import { type Body, type PeopleContext, toAddress, toPerson } from "./people.rules.ts";

export function toBusiness(raw: Raw, names: { email: unknown; companyName: unknown }): BusinessFields {
  const body = raw as Body<BusinessFields>;
  return {
    email: names.email as string,
    phoneNumber: body.phoneNumber ?? null,
    companyName: names.companyName as string,
    tradingName: body.tradingName ?? null,
    businessTypeCode: businessTypeCode(body.businessTypeCode) as BusinessType,
    incorporationCountryIso3Code: body.incorporationCountryIso3Code,
    industry: body.industry,
    description: body.description ?? null,
    website: body.website,
    registrationNumber: body.registrationNumber,
    registrationDate: body.registrationDate ?? null,
  };
}

/** The fields that the body names; null clears one. */
export function toChanges(raw: Raw): Partial<BusinessFields> {
  const named = BUSINESS_FIELDS.filter((field) => raw[field] !== undefined);
  const changes: Partial<BusinessFields> = Object.fromEntries(named.map((field) => [field, raw[field]]));
  if (changes.businessTypeCode)
    changes.businessTypeCode = businessTypeCode(changes.businessTypeCode) as BusinessType;
  const country = raw[COUNTRY_NAMES[0]] ?? raw[COUNTRY_NAMES[1]];
  if (typeof country === "string") changes.incorporationCountryIso3Code = country;
  return changes;
}

export const toAddresses = ({ addresses }: Raw): Address[] | undefined =>
  (addresses as Body<Address>[] | null | undefined)?.map(toAddress);

export const toPeople = (
  { businessPersonList: people }: Raw,
  context: PeopleContext,
): PersonInput[] | undefined =>
  (people as Raw[] | null | undefined)?.map((person) => toPerson(person, context));

export function toFinancials(raw: Raw): Financials | undefined {
  const financials = raw.financials as Financials | null | undefined;
  if (!financials) return undefined;
  const { monthlyTurnOver, estimatedTransactionValue, sourceOfFunds, purposeOfAccount } = financials;
  return { monthlyTurnOver, estimatedTransactionValue, sourceOfFunds, purposeOfAccount };
}
