/** The rules of businessPersonList that go beyond the shape of single fields. */
import type { Address } from "../../../shared/contract/answers/customer.ts";
import type { IdentityType, OwnershipType } from "../../../shared/contract/vocabularies.ts";
import type { Violation } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { isCountry } from "../country/countries.rules.ts";
import type { CountryDirectory } from "../country/country-directory.rules.ts";
import { identityRemarks, identityViolations, MASKED, storedNumber } from "../country/identity.rules.ts";
import type { IdentityInput, PersonInput } from "../record/profile.types.ts";
import { COUNTRY_CODE, DATE, foldedEmail, isCalendarDay, isMasked } from "../record/text.rules.ts";

export type PeopleContext = {
  countries: CountryDirectory;
  today: string;
  /** The caller wants whatever would be a warning to be refused. */
  isStrict?: boolean;
};

type Raw = Readonly<Record<string, unknown>>;

const CODE = "ValidationControl.Error";
const LIST = "businessPersonList";
const MAX_PERCENT = 100;
const PERSON_COUNTRIES = ["nationality", "taxResidenceCountry", "placeOfBirthCountry"] as const;
const IDENTITY_DATES = ["issueDate", "expiryDate"] as const;

/** Fields of a wrong shape are passed over: the shape check has named them. */
export function peopleViolations(people: readonly unknown[], context: PeopleContext): Violation[] {
  return [
    ...people.flatMap((person, index) =>
      isRecord(person) ? personViolations(person, `${LIST}[${index}]`, context) : [],
    ),
    ...duplicateEmails(people),
    ...shareViolation(people),
  ];
}

function personViolations(person: Raw, path: string, context: PeopleContext): Violation[] {
  const { birthDate, address, identities } = person;
  const found: Violation[] = [];
  found.push(...dayViolation(birthDate, `${path}.birthDate`));
  if (typeof birthDate === "string" && birthDate >= context.today && isCalendarDay(birthDate))
    found.push({ field: `${path}.birthDate`, code: CODE, message: "must be in the past" });
  if (isMasked(person.taxIdentificationNumber))
    found.push({
      field: `${path}.taxIdentificationNumber`,
      code: CODE,
      message: MASKED,
      rule: "Person.TaxNumberMasked",
    });
  for (const field of PERSON_COUNTRIES) found.push(...countryViolation(person[field], `${path}.${field}`));
  if (isRecord(address)) found.push(...countryViolation(address.countryCode, `${path}.address.countryCode`));
  if (Array.isArray(identities)) found.push(...identitiesViolations(identities, address, path, context));
  return found;
}

function identitiesViolations(
  identities: readonly unknown[],
  address: unknown,
  path: string,
  { countries, today }: PeopleContext,
): Violation[] {
  const found: Violation[] = [];
  const countryCode = isRecord(address) ? address.countryCode : undefined;
  const isKnown = typeof countryCode === "string" && isCountry(countryCode);
  const residence = isKnown ? countries.inForce(countryCode) : undefined;
  if (isKnown && !residence)
    found.push({
      field: `${path}.address.countryCode`,
      code: "OnboardingConfig.NotFound",
      message: `people living in ${countryCode} cannot be onboarded: there is no active configuration`,
    });
  const context = { residence, rulesOf: countries.latest, today };
  for (const [index, identity] of identities.entries()) {
    if (!isRecord(identity)) continue;
    const at = `${path}.identities[${index}]`;
    found.push(...countryViolation(identity.issuingCountry, `${at}.issuingCountry`));
    for (const field of IDENTITY_DATES) found.push(...dayViolation(identity[field], `${at}.${field}`));
    found.push(...identityViolations(identity, at, context));
  }
  return found;
}

function duplicateEmails(people: readonly unknown[]): Violation[] {
  const seen = new Set<string>();
  return people.flatMap((person, index) => {
    const email = isRecord(person) ? person.email : undefined;
    if (typeof email !== "string") return [];
    const key = foldedEmail(email);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [
      { field: `${LIST}[${index}].email`, code: CODE, message: "belongs to another person of this request" },
    ];
  });
}

function shareViolation(people: readonly unknown[]): Violation[] {
  const shares = people.map((person) => (isRecord(person) ? person.percentageShare : undefined));
  const sum = shares.reduce<number>((total, share) => total + (typeof share === "number" ? share : 0), 0);
  return sum > MAX_PERCENT
    ? [
        {
          field: LIST,
          code: CODE,
          message: `the percentageShare of all people together is ${sum}, above 100`,
        },
      ]
    : [];
}

export function countryViolation(value: unknown, field: string): Violation[] {
  if (typeof value !== "string" || !COUNTRY_CODE.test(value) || isCountry(value)) return [];
  return [{ field, code: "Country.NotFound", message: "is not a country of ISO 3166-1" }];
}

/** The shape check only sees digits; this finds days that do not exist. */
export function dayViolation(value: unknown, field: string, code = CODE): Violation[] {
  if (typeof value !== "string" || isCalendarDay(value) || !DATE.test(value)) return [];
  return [{ field, code, message: "is not a day of the calendar" }];
}

/** Takes over the known fields of a person that passed every check. */
export function toPerson(raw: Raw, context: PeopleContext): PersonInput {
  const text = (field: string) => (raw[field] ?? null) as string | null;
  const flag = (field: string) => (raw[field] ?? null) as boolean | null;
  const address = toAddress(raw.address as Raw);
  return {
    // Only PUT uses it, and has checked it; elsewhere it may be anything.
    uboId: typeof raw.uboId === "string" ? raw.uboId.toLowerCase() : null,
    firstName: raw.firstName as string,
    middleName: text("middleName"),
    lastName: raw.lastName as string,
    birthDate: text("birthDate"),
    nationality: raw.nationality as string,
    taxResidenceCountry: text("taxResidenceCountry"),
    placeOfBirthCountry: text("placeOfBirthCountry"),
    email: raw.email as string,
    phone: text("phone"),
    jobTitle: text("jobTitle"),
    ownershipType: [...(raw.ownershipType as OwnershipType[])],
    percentageShare: (raw.percentageShare ?? null) as number | null,
    isPoliticallyExposed: flag("isPoliticallyExposed"),
    isAuthorizedSignatory: flag("isAuthorizedSignatory"),
    taxIdentificationNumber: text("taxIdentificationNumber"),
    address,
    identities: (raw.identities as Raw[]).map((identity) => toIdentity(identity, address, context)),
  };
}

function toIdentity(raw: Raw, address: Address, { countries, today }: PeopleContext): IdentityInput {
  const identityTypeCode = raw.identityTypeCode as IdentityType;
  const issuingCountry = raw.issuingCountry as string;
  const given = raw.identityValue as string;
  const residence = countries.inForce(address.countryCode);
  const context = residence && { residence, rulesOf: countries.latest, today };
  const identityValue = context ? storedNumber(identityTypeCode, issuingCountry, given, context) : given;
  return {
    identityTypeCode,
    issuingCountry,
    identityValue,
    documentUploadId: ((raw.documentUploadId ?? null) as string | null)?.toLowerCase() ?? null,
    issueDate: (raw.issueDate ?? null) as string | null,
    expiryDate: (raw.expiryDate ?? null) as string | null,
    remarks: context ? identityRemarks(identityTypeCode, issuingCountry, identityValue, context) : [],
  };
}

export const toAddress = (raw: Raw): Address => ({
  streetLine1: raw.streetLine1 as string,
  streetLine2: (raw.streetLine2 ?? null) as string | null,
  city: raw.city as string,
  state: raw.state as string,
  postalCode: raw.postalCode as string,
  countryCode: raw.countryCode as string,
});
