/** The query of a list: what it filters by, and where its pages begin. */
import {
  businessTypeCode,
  REVIEW_STAGES,
  type ReviewStage,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from "../../../shared/contract/vocabularies.ts";
import { isUuid } from "../../../shared/ids.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
  type Range,
} from "../../../shared/input/query-reader.ts";
import { foldedName, PARTNER_CUSTOMER_ID } from "./text.rules.ts";

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

/** A cursor costs the same on every page and has no total; page numbers are for people. */
export type PageRequest =
  | { kind: "page"; page: number; pageSize: number }
  | { kind: "cursor"; after: string | null; pageSize: number };

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

function readPage(query: Query, reader: QueryReader): PageRequest {
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
