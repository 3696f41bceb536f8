/** The query of the analysts' lists: which cases, and in which order. */
import { REVIEW_STAGES, VERIFICATION_STATUSES } from "../../../shared/action-types/customer.ts";
import { isUuid } from "../../../shared/ids.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/query-reader.ts";
import type { CaseFilter, CasePosition } from "../record/profile-queries.rules.ts";
import { foldedName } from "../record/text.rules.ts";

/** An id, or else what a name begins with and a reference is. */
type CaseSearch = { customerId: string } | { namePrefix: string; reference: string };

export type CaseListQuery = {
  filter: CaseFilter;
  search: CaseSearch | null;
  /** By the time of submission: 1 is oldest first. */
  order: 1 | -1;
  paging: Paging;
  pageSize: number;
};

/** A cursor costs the same on every page and has no total; page numbers are for people. */
type Paging = { kind: "page"; page: number } | { kind: "cursor"; after: CasePosition | null };

export const EVERY_CASE: CaseFilter = {
  verificationStatus: null,
  reviewStage: null,
  analystId: null,
  analystEmail: null,
  incorporationCountryIso3Code: null,
  isTest: false,
};

const ME = "me";

export function readCaseListQuery(query: Query, analystId: string): CaseListQuery {
  const reader = new QueryReader(query);
  const claimedBy = reader.text("claimedBy");
  const isMine = reader.flag("mine") || claimedBy === ME;
  const filter: CaseFilter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    analystId: isMine ? analystId : null,
    analystEmail: claimedBy === ME ? null : (claimedBy?.toLowerCase() ?? null),
    incorporationCountryIso3Code: reader.text("country"),
    isTest: reader.flag("test"),
  };
  const search = searchOf(reader.text("search")?.trim());
  const sort = reader.oneOf("sort", ["oldest", "newest"]);
  if (search && sort) reader.refuse("sort", "cannot be given with search, which sorts by name");
  const paging = readPaging(query, reader);
  if (search && paging.kind === "cursor")
    reader.refuse("cursor", "cannot be given with search, which has pages by number");
  return reader.finish({
    filter,
    search,
    order: sort === "newest" ? -1 : 1,
    paging,
    pageSize: reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  });
}

function readPaging(query: Query, reader: QueryReader): Paging {
  if (query.cursor === undefined) return { kind: "page", page: reader.integer("page", 1, MAX_PAGE) };
  const cursor = reader.text("cursor");
  const after = cursor === null ? null : decodeCursor(cursor);
  if (cursor !== null && after === null) reader.refuse("cursor", "is not a cursor of this list");
  return { kind: "cursor", after };
}

/** Opaque to callers, so that it can change. */
export const encodeCursor = ({ submittedAt, _id }: CasePosition): string =>
  Buffer.from(`${submittedAt} ${_id}`).toString("base64url");

function decodeCursor(cursor: string): CasePosition | null {
  const [submittedAt = "", _id = "", ...rest] = Buffer.from(cursor, "base64url")
    .toString("latin1")
    .split(" ");
  const isOurs = rest.length === 0 && isUuid(_id) && ISO_TIME.test(submittedAt);
  return isOurs ? { submittedAt, _id } : null;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function searchOf(text: string | undefined): CaseSearch | null {
  if (!text) return null;
  return isUuid(text)
    ? { customerId: text.toLowerCase() }
    : { namePrefix: foldedName(text), reference: text };
}
