/** The query of a list: what it filters by, and where its pages begin. */
import { AppError, type Violation } from "../../../shared/errors.ts";
import { isUuid } from "../../../shared/ids.ts";
import { parseTime } from "../../../shared/iso-time.rules.ts";
import { DATE, foldedName, PARTNER_CUSTOMER_ID } from "./text.rules.ts";
import {
  businessTypeCode,
  REVIEW_STAGES,
  type ReviewStage,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from "./vocabularies.rules.ts";

export type Range = { from: string | null; to: string | null };

export type ProfileFilter = {
  verificationStatus: VerificationStatus | null;
  reviewStage: ReviewStage | null;
  partnerCustomerId: string | null;
  registrationNumber: string | null;
  incorporationCountryIso3Code: string | null;
  businessTypeCode: string | null;
  industry: string | null;
  companyNamePrefix: string | null;
  created: Range;
  updated: Range;
};

/** A cursor costs the same wherever it stands and knows no total; a page number is for people. */
export type PageRequest =
  | { kind: "page"; page: number; pageSize: number }
  | { kind: "cursor"; after: string | null; pageSize: number };

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;
const MAX_PAGE = 1_000_000;
const LONGEST_FILTER = 255;
const CODE = "ValidationControl.Error";

type Query = Readonly<Record<string, unknown>>;

/** Reads values of a query one by one and gathers what is wrong with them. */
export class QueryReader {
  readonly violations: Violation[] = [];
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  text(field: string): string | null {
    const value = this.#query[field];
    if (value === undefined) return null;
    if (typeof value === "string" && value.length <= LONGEST_FILTER && !value.includes("\0"))
      return value || null;
    return this.refuse(field, "must be given once, as text");
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T | null {
    const value = this.text(field);
    if (value === null || values.includes(value as T)) return value as T | null;
    return this.refuse(field, `must be one of ${values.join(", ")}`);
  }

  flag(field: string): boolean {
    return this.oneOf(field, ["true", "false"]) === "true";
  }

  integer(field: string, fallback: number, max: number): number {
    const value = this.text(field);
    if (value === null) return fallback;
    if (/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
    this.refuse(field, `must be a whole number from 1 to ${max}`);
    return fallback;
  }

  /** From and to are both part of the range; a day without a time means the whole day. */
  range(fromField: string, toField: string): Range {
    const to = this.#time(toField);
    const isDay = to !== null && DATE.test(String(this.#query[toField]));
    return { from: this.#time(fromField), to: isDay ? to.replace("T00:00:00.000Z", "T23:59:59.999Z") : to };
  }

  #time(field: string): string | null {
    const value = this.text(field);
    if (value === null) return null;
    const time = parseTime(value);
    return time === null || time.getTime() < 0
      ? this.refuse(field, "must be an ISO 8601 time or date")
      : time.toISOString();
  }

  refuse(field: string, message: string): null {
    this.violations.push({ field, code: CODE, message });
    return null;
  }

  finish<T>(result: T): T {
    const [first] = this.violations;
    if (first) throw new AppError(CODE, `${first.field}: ${first.message}`, { details: this.violations });
    return result;
  }
}

export function readListQuery(query: Query): { filter: ProfileFilter; page: PageRequest } {
  const reader = new QueryReader(query);
  const type = reader.text("businessTypeCode");
  const name = reader.text("companyName");
  const reference = reader.text("partnerCustomerId");
  const filter: ProfileFilter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    partnerCustomerId: reference,
    registrationNumber: reader.text("registrationNumber"),
    incorporationCountryIso3Code: reader.text("incorporationCountryIso3Code"),
    businessTypeCode: type === null ? null : (businessTypeCode(type) ?? type),
    industry: reader.text("industry"),
    companyNamePrefix: name === null ? null : foldedName(name),
    created: reader.range("createdFrom", "createdTo"),
    updated: reader.range("updatedFrom", "updatedTo"),
  };
  return reader.finish({ filter, page: readPage(query, reader) });
}

export function readPage(query: Query, reader: QueryReader): PageRequest {
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  if (query.cursor === undefined)
    return { kind: "page", page: reader.integer("page", 1, MAX_PAGE), pageSize };
  const cursor = reader.text("cursor");
  const after = cursor === null ? null : decodeCursor(cursor);
  if (cursor !== null && after === null) reader.refuse("cursor", "is not a cursor of this list");
  return { kind: "cursor", after, pageSize };
}

/** The id of the last item seen; opaque to callers so that it can change. */
export const encodeCursor = (customerId: string): string =>
  Buffer.from(customerId.replaceAll("-", ""), "hex").toString("base64url");

export function decodeCursor(cursor: string): string | null {
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return cursor.length === 22 && isUuid(id) ? id : null;
}

/** False when no stored reference can look like this, so nothing needs to be searched. */
export const isPossibleReference = (reference: string): boolean => PARTNER_CUSTOMER_ID.test(reference);

/** The lowest id that a record made at this time can have. */
export function lowestIdAt(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
