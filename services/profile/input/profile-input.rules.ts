/** Judges the bodies of create, PUT and PATCH: all violations together, or the input in one shape. */
import type { ValidationSchema } from "fastest-validator";
import { asViolation, INVALID, type Violation } from "../../../shared/errors.ts";
import { compileUnknown } from "../../../shared/input/unknown-properties.rules.ts";
import { compileCheck } from "../../../shared/input/validation.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Person, PersonInput, Profile } from "../record/profile.types.ts";
import { toAddresses, toBusiness, toChanges, toFinancials, toPeople } from "./body-fields.rules.ts";
import { businessViolations, COUNTRY_NAMES } from "./business.rules.ts";
import { clampLists } from "./clamp.rules.ts";
import { type KeptIdentities, withKnownPeople } from "./known-person.rules.ts";
import type { PeopleContext } from "./people.rules.ts";
import { createSchema, patchSchema, replaceSchema, SHOWN } from "./profile.schemas.ts";
import { appendViolations, referenceViolations, uboViolations } from "./stored-facts.rules.ts";
import { NOBODY_NAMED, peopleWarnings } from "./warnings.rules.ts";

export type Judged<T> = { violations: Violation[]; warnings: Violation[]; input: T | null };
type Input<J extends (...given: never[]) => Judged<unknown>> = NonNullable<ReturnType<J>["input"]>;
export type CreateInput = Input<typeof judgeCreate>;
export type ReplaceInput = Input<typeof judgeReplace>;
export type PatchInput = Input<typeof judgePatch>;

/** PUT and PATCH use it too, so faults have the same order. refuseUpdate gives them another code. */
const SHAPE = "Validation";

type Fault = { field: string; type: string; actual?: unknown };

const isPhone = ({ field, type }: Fault) => type === "stringPattern" && /(^phoneNumber|\.phone)$/.test(field);
const isVocabulary = ({ field, type }: Fault) =>
  type === "stringEnum" ||
  (type === "stringPattern" && /^(businessTypeCode|incorporationCountry(Iso3)?Code)$/.test(field));

export function codeOf(fault: Fault): string {
  if (fault.field === "partnerCustomerId") return "Customer.PartnerCustomerIdInvalid";
  if (isPhone(fault)) return "PhoneNumber.Invalid";
  return /[.[]/.test(fault.field) || isVocabulary(fault) ? INVALID : SHAPE;
}

/** JSON Merge Patch (RFC 7396): null clears the fields that the schema marks, and is refused for every other field. */
export function compileNulls(
  schema: ValidationSchema,
  codeFor: (field: string) => string,
): (body: Raw) => Violation[] {
  const kept = Object.entries(schema as Record<string, { nullable?: boolean }>)
    .filter(([, rule]) => rule.nullable !== true)
    .map(([field]) => field);
  return (body) =>
    kept
      .filter((field) => body[field] === null)
      .map((field) => ({ field, code: codeFor(field), message: "cannot be null" }));
}

const isReferenceAbsent = ({ field, type, actual }: Fault) =>
  field === "partnerCustomerId" && (type === "required" || actual === "");

const checkCreate = compileCheck(createSchema, (fault) =>
  isReferenceAbsent(fault) ? "Customer.PartnerCustomerIdRequired" : codeOf(fault),
);
const checkReplace = compileCheck(replaceSchema, codeOf);
const checkPatch = compileCheck(patchSchema, codeOf);
const patchNulls = compileNulls(patchSchema, (field) => codeOf({ field, type: "nullable" }));
const unknownInCreate = compileUnknown(createSchema, SHOWN);
const unknownInReplace = compileUnknown(replaceSchema, SHOWN);
const unknownInPatch = compileUnknown(patchSchema, SHOWN);

export function judgeCreate(body: unknown, context: PeopleContext) {
  if (!isRecord(body)) return refused(checkCreate(body));
  const { raw, violations } = clampLists(body, SHAPE);
  violations.push(...checkCreate(raw), ...businessViolations(raw, createSchema, SHAPE, context));
  const people = peopleOf(raw);
  const warnings = [
    ...unknownInCreate(raw),
    ...(people.length === 0 ? [NOBODY_NAMED] : peopleWarnings(people, context)),
  ];
  return judged(violations, warnings, context, () => ({
    partnerCustomerId: raw.partnerCustomerId as string,
    business: toBusiness(raw, { email: raw.email, companyName: raw.companyName }),
    addresses: toAddresses(raw) ?? [],
    financials: toFinancials(raw) ?? null,
    people: toPeople(raw, context) ?? [],
  }));
}

/** `open` gives a stored person as it was sent, for what the body omits. Undefined lists stay as they are. */
export function judgeReplace(
  body: unknown,
  stored: Profile,
  context: PeopleContext,
  open: (person: Person) => PersonInput,
) {
  if (!isRecord(body)) return refused(checkReplace(body));
  const { raw: given, violations: found } = clampLists(body, SHAPE);
  const { raw, kept } = withKnownPeople(given, stored.people, open);
  const { customerId } = raw;
  if (typeof customerId === "string" && customerId.toLowerCase() !== stored._id)
    found.push({
      field: "customerId",
      code: "Partner.BusinessProfileIdMismatch",
      message: "differs from the id in the path",
    });
  found.push(...checkReplace(raw), ...businessViolations(raw, replaceSchema, SHAPE, context));
  found.push(...referenceViolations(raw, stored), ...uboViolations(raw, stored));
  const violations = found.filter(isSaid(kept));
  const warnings = [
    ...unknownInReplace(given).filter(({ field }) => !isAsRead(field, given, stored)),
    ...peopleWarnings(peopleOf(raw), context).filter(isSaid(kept)),
  ];
  const staying = raw.businessPersonList ?? livePeople(stored.people);
  if (Array.isArray(staying) && staying.length === 0) warnings.push(NOBODY_NAMED);
  return judged(violations, warnings, context, () => ({
    business: toBusiness(raw, { email: raw.businessEmail, companyName: raw.name }),
    addresses: toAddresses(raw),
    financials: toFinancials(raw),
    people: toPeople(raw, context)?.map((person, index) => ({
      ...person,
      identities: kept.get(index) ?? person.identities,
    })),
  }));
}

export function judgePatch(given: unknown, stored: Profile, context: PeopleContext) {
  const body = given === undefined ? {} : given;
  if (!isRecord(body)) return refused(checkPatch(body));
  const { raw, violations } = clampLists(body, SHAPE);
  violations.push(...checkPatch(raw), ...patchNulls(raw), ...aliasViolation(raw));
  violations.push(...businessViolations(raw, patchSchema, SHAPE, context));
  violations.push(...referenceViolations(raw, stored), ...appendViolations(raw, stored));
  const people = peopleOf(raw);
  const warnings = [...unknownInPatch(raw), ...peopleWarnings(people, context)];
  if (Array.isArray(raw.businessPersonList) && people.length === 0) warnings.push(NOBODY_NAMED);
  return judged(violations, warnings, context, () => ({
    business: toChanges(raw),
    addresses: toAddresses(raw),
    financials: toFinancials(raw),
    newPeople: toPeople(raw, context) ?? [],
    documentIds: ((raw.businessDocumentIdList ?? []) as string[]).map((id) => id.toLowerCase()),
  }));
}

/** PUT has other names for these two. A value other than the stored one was meant as a change, so it is named. */
const isAsRead = (field: string, given: Raw, stored: Profile): boolean =>
  (field === "email" || field === "companyName") && given[field] === stored[field];

/** Identities that stay are not judged again: a passport may have expired since. */
const isSaid =
  (kept: KeptIdentities) =>
  ({ field }: Violation): boolean => {
    const [, index] = /^businessPersonList\[(\d+)\]\.identities/.exec(field) ?? [];
    return index === undefined || !kept.has(Number(index));
  };

export const refused = (violations: Violation[]): Judged<never> => ({
  violations,
  warnings: [],
  input: null,
});

export function judged<T>(
  violations: Violation[],
  warnings: Violation[],
  { isStrict }: PeopleContext,
  toInput: () => T,
): Judged<T> {
  const named = new Set(violations.map(({ field }) => field));
  if (isStrict) violations.push(...warnings.filter(({ field }) => !named.has(field)).map(asViolation));
  return violations.length > 0 ? refused(violations) : { violations, warnings, input: toInput() };
}

const peopleOf = ({ businessPersonList: people }: Raw): readonly unknown[] =>
  Array.isArray(people) ? people : [];

function aliasViolation(raw: Raw): Violation[] {
  const [a, b] = COUNTRY_NAMES.map((name) => raw[name]);
  if (typeof a !== "string" || typeof b !== "string" || a === b) return [];
  return [{ field: COUNTRY_NAMES[0], code: INVALID, message: `differs from ${COUNTRY_NAMES[1]}` }];
}
