/** Rules of businessPersonList beyond the shape of single fields. */
import type { Address } from "../../../shared/contract/answers/customer.ts";
import { INVALID, type Violation } from "../../../shared/errors.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { isCountry } from "../country/countries.rules.ts";
import type { CountryDirectory } from "../country/country-directory.rules.ts";
import {
  type IdentityContext,
  identityRemarks,
  identityViolations,
  MASKED,
  storedNumber,
} from "../country/identity.rules.ts";
import type { IdentityInput, PersonInput } from "../record/profile.types.ts";
import { COUNTRY_CODE, DATE, foldedEmail, isCalendarDay, isMasked } from "../record/text.rules.ts";

export type PeopleContext = {
  countries: CountryDirectory;
  today: string;
  /** The caller wants warnings to refuse the request. */
  isStrict?: boolean;
};

export const LIST = "businessPersonList";
const MAX_PERCENT = 100;
const PERSON_COUNTRIES = ["nationality", "taxResidenceCountry", "placeOfBirthCountry"] as const;
const IDENTITY_DATES = ["issueDate", "expiryDate"] as const;

/** The rules for the identities of a person with this address. */
export function identityContext(address: unknown, { countries, today }: PeopleContext): IdentityContext {
  const countryCode = isRecord(address) ? address.countryCode : undefined;
  const residence = typeof countryCode === "string" ? countries.inForce(countryCode) : undefined;
  return { residence, rulesOf: countries.latest, today };
}

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
  const found = dayViolation(birthDate, `${path}.birthDate`);
  if (typeof birthDate === "string" && birthDate >= context.today && isCalendarDay(birthDate))
    found.push({ field: `${path}.birthDate`, code: INVALID, message: "must be in the past" });
  if (isMasked(person.taxIdentificationNumber))
    found.push({
      field: `${path}.taxIdentificationNumber`,
      code: INVALID,
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
  people: PeopleContext,
): Violation[] {
  const found: Violation[] = [];
  const context = identityContext(address, people);
  const countryCode = isRecord(address) ? address.countryCode : undefined;
  if (!context.residence && typeof countryCode === "string" && isCountry(countryCode))
    found.push({
      field: `${path}.address.countryCode`,
      code: "OnboardingConfig.NotFound",
      message: `people living in ${countryCode} cannot be onboarded: there is no active configuration`,
    });
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
    const isFirst = !seen.has(key);
    seen.add(key);
    if (isFirst) return [];
    const field = `${LIST}[${index}].email`;
    return [{ field, code: INVALID, message: "belongs to another person of this request" }];
  });
}

function shareViolation(people: readonly unknown[]): Violation[] {
  const shares = people.map((person) => (isRecord(person) ? person.percentageShare : undefined));
  const sum = shares.reduce<number>((total, share) => total + (typeof share === "number" ? share : 0), 0);
  const message = `the percentageShare of all people together is ${sum}, above 100`;
  return sum > MAX_PERCENT ? [{ field: LIST, code: INVALID, message }] : [];
}

export function countryViolation(value: unknown, field: string): Violation[] {
  if (typeof value !== "string" || !COUNTRY_CODE.test(value) || isCountry(value)) return [];
  return [{ field, code: "Country.NotFound", message: "is not a country of ISO 3166-1" }];
}

/** The shape check only sees digits; this finds days that do not exist. */
export function dayViolation(value: unknown, field: string, code = INVALID): Violation[] {
  if (typeof value !== "string" || isCalendarDay(value) || !DATE.test(value)) return [];
  return [{ field, code, message: "is not a day of the calendar" }];
}

/** The fields of T in a body that passed every check: those that may be null may be absent, too. */
export type Body<T> = { readonly [K in keyof T]: null extends T[K] ? T[K] | undefined : T[K] };

type IdentityBody = Body<Omit<IdentityInput, "remarks">>;
type PersonBody = Body<Omit<PersonInput, "address" | "identities">> & {
  address: Body<Address>;
  identities: readonly IdentityBody[];
};

/** The known fields of a person that passed every check. */
export function toPerson(raw: Raw, context: PeopleContext): PersonInput {
  const body = raw as PersonBody;
  const address = toAddress(body.address);
  const rules = identityContext(address, context);
  return {
    // Only PUT uses it, and has checked it; elsewhere it may be anything.
    uboId: typeof body.uboId === "string" ? body.uboId.toLowerCase() : null,
    firstName: body.firstName,
    middleName: body.middleName ?? null,
    lastName: body.lastName,
    birthDate: body.birthDate ?? null,
    nationality: body.nationality,
    taxResidenceCountry: body.taxResidenceCountry ?? null,
    placeOfBirthCountry: body.placeOfBirthCountry ?? null,
    email: body.email,
    phone: body.phone ?? null,
    jobTitle: body.jobTitle ?? null,
    ownershipType: body.ownershipType,
    percentageShare: body.percentageShare ?? null,
    isPoliticallyExposed: body.isPoliticallyExposed ?? null,
    isAuthorizedSignatory: body.isAuthorizedSignatory ?? null,
    taxIdentificationNumber: body.taxIdentificationNumber ?? null,
    address,
    identities: body.identities.map((identity) => toIdentity(identity, rules)),
  };
}

function toIdentity(body: IdentityBody, context: IdentityContext): IdentityInput {
  const { identityTypeCode, issuingCountry } = body;
  const identityValue = storedNumber(identityTypeCode, issuingCountry, body.identityValue, context);
  return {
    identityTypeCode,
    issuingCountry,
    identityValue,
    documentUploadId: body.documentUploadId?.toLowerCase() ?? null,
    issueDate: body.issueDate ?? null,
    expiryDate: body.expiryDate ?? null,
    remarks: identityRemarks(identityTypeCode, issuingCountry, identityValue, context),
  };
}

export const toAddress = (body: Body<Address>): Address => ({
  streetLine1: body.streetLine1,
  streetLine2: body.streetLine2 ?? null,
  city: body.city,
  state: body.state,
  postalCode: body.postalCode,
  countryCode: body.countryCode,
});
