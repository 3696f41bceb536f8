/** Judges the bodies of create, PUT and PATCH: every violation at once, and the input in one shape when there is none. */
import type { Address, BusinessFields, Financials } from "../../../shared/action-types/customer.ts";
import type { Violation } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { compileCheck } from "../../../shared/validation.ts";
import type { PersonInput, Profile } from "../record/profile.types.ts";
import {
  REQUIRED_TEXTS,
  toAddresses,
  toBusiness,
  toChanges,
  toFinancials,
  toPeople,
} from "./body-fields.rules.ts";
import { businessViolations, COUNTRY_NAMES } from "./business.rules.ts";
import { clampLists } from "./clamp.rules.ts";
import type { PeopleContext } from "./people.rules.ts";
import { createSchema, patchSchema, replaceSchema } from "./profile.schemas.ts";
import { appendViolations, referenceViolations, uboViolations } from "./stored-facts.rules.ts";

type Raw = Readonly<Record<string, unknown>>;
export type Judged<T> = { violations: Violation[]; input: T | null };

export type CreateInput = {
  partnerCustomerId: string;
  business: BusinessFields;
  addresses: Address[];
  financials: Financials | null;
  people: PersonInput[];
};

/** Undefined lists stay as they are. */
export type ReplaceInput = {
  business: BusinessFields;
  addresses?: Address[];
  financials?: Financials;
  people?: PersonInput[];
};

export type PatchInput = {
  business: Partial<BusinessFields>;
  addresses?: Address[];
  financials?: Financials | null;
  newPeople: PersonInput[];
  documentIds: string[];
};

/** PUT and PATCH use it too, so that faults are ordered alike; refuseUpdate gives them another code. */
const SHAPE = "Validation";
const CONTROL = "ValidationControl.Error";

type Fault = { field: string; type: string; actual?: unknown };

const isPhone = ({ field, type }: Fault) => type === "stringPattern" && /(^phoneNumber|\.phone)$/.test(field);
const isVocabulary = ({ field, type }: Fault) =>
  type === "stringEnum" ||
  (type === "stringPattern" && /^(businessTypeCode|incorporationCountry(Iso3)?Code)$/.test(field));

function codeOf(fault: Fault): string {
  if (fault.field === "partnerCustomerId") return "Customer.PartnerCustomerIdInvalid";
  if (isPhone(fault)) return "PhoneNumber.Invalid";
  return /[.[]/.test(fault.field) || isVocabulary(fault) ? CONTROL : SHAPE;
}
const isReferenceAbsent = ({ field, type, actual }: Fault) =>
  field === "partnerCustomerId" && (type === "required" || actual === "");

const checkCreate = compileCheck(createSchema, (fault) =>
  isReferenceAbsent(fault) ? "Customer.PartnerCustomerIdRequired" : codeOf(fault),
);
const checkReplace = compileCheck(replaceSchema, codeOf);
const checkPatch = compileCheck(patchSchema, codeOf);

export function judgeCreate(body: unknown, context: PeopleContext): Judged<CreateInput> {
  if (!isRecord(body)) return { violations: checkCreate(body), input: null };
  const { raw, violations } = clampLists(body, SHAPE);
  violations.push(...checkCreate(raw), ...businessViolations(raw, createSchema, SHAPE, context));
  if (violations.length > 0) return { violations, input: null };
  const input = {
    partnerCustomerId: raw.partnerCustomerId as string,
    business: toBusiness(raw, { email: raw.email, companyName: raw.companyName }),
    addresses: toAddresses(raw) ?? [],
    financials: toFinancials(raw) ?? null,
    people: toPeople(raw, context) ?? [],
  };
  return { violations, input };
}

export function judgeReplace(body: unknown, stored: Profile, context: PeopleContext): Judged<ReplaceInput> {
  if (!isRecord(body)) return { violations: checkReplace(body), input: null };
  const { raw, violations } = clampLists(body, SHAPE);
  const { customerId } = raw;
  if (typeof customerId === "string" && customerId.toLowerCase() !== stored._id)
    violations.push({
      field: "customerId",
      code: "Partner.BusinessProfileIdMismatch",
      message: "differs from the id in the path",
    });
  violations.push(...checkReplace(raw), ...businessViolations(raw, replaceSchema, SHAPE, context));
  violations.push(...referenceViolations(raw, stored), ...uboViolations(raw, stored));
  if (violations.length > 0) return { violations, input: null };
  const addresses = toAddresses(raw);
  const financials = toFinancials(raw);
  const people = toPeople(raw, context);
  const input = {
    business: toBusiness(raw, { email: raw.businessEmail, companyName: raw.name }),
    ...(addresses ? { addresses } : {}),
    ...(financials ? { financials } : {}),
    ...(people ? { people } : {}),
  };
  return { violations, input };
}

export function judgePatch(body: unknown, stored: Profile, context: PeopleContext): Judged<PatchInput> {
  if (body === undefined) return { violations: [], input: { business: {}, newPeople: [], documentIds: [] } };
  if (!isRecord(body)) return { violations: checkPatch(body), input: null };
  const { raw, violations } = clampLists(body, SHAPE);
  violations.push(...checkPatch(raw), ...nullViolations(raw), ...aliasViolation(raw));
  violations.push(...businessViolations(raw, patchSchema, SHAPE, context));
  violations.push(...referenceViolations(raw, stored), ...appendViolations(raw, stored));
  if (violations.length > 0) return { violations, input: null };
  const addresses = raw.addresses === null ? [] : toAddresses(raw);
  const financials = raw.financials === null ? null : toFinancials(raw);
  const input = {
    business: toChanges(raw),
    ...(addresses ? { addresses } : {}),
    ...(financials !== undefined ? { financials } : {}),
    newPeople: toPeople(raw, context) ?? [],
    documentIds: ((raw.businessDocumentIdList ?? []) as string[]).map((id) => id.toLowerCase()),
  };
  return { violations, input };
}

function nullViolations(raw: Raw): Violation[] {
  return [...REQUIRED_TEXTS, "businessTypeCode", ...COUNTRY_NAMES]
    .filter((field) => raw[field] === null)
    .map((field) => ({ field, code: SHAPE, message: "is required and cannot be cleared" }));
}

function aliasViolation(raw: Raw): Violation[] {
  const [a, b] = COUNTRY_NAMES.map((name) => raw[name]);
  if (typeof a !== "string" || typeof b !== "string" || a === b) return [];
  return [{ field: COUNTRY_NAMES[0], code: CONTROL, message: `differs from ${COUNTRY_NAMES[1]}` }];
}
