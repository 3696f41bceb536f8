/** The query of the analysts' lists: which cases, and in which order. */
import { REVIEW_STAGES, VERIFICATION_STATUSES } from "../../../shared/contract/vocabularies.ts";
import { isUuid } from "../../../shared/ids.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import { readPaging } from "../../../shared/input/time-pages.rules.ts";
import type { CaseFilter } from "../record/profile-queries.rules.ts";
import { foldedName } from "../record/text.rules.ts";

export type CaseListQuery = ReturnType<typeof readCaseListQuery>;

export const EVERY_CASE: CaseFilter = {
  verificationStatus: null,
  reviewStage: null,
  analystId: null,
  analystEmail: null,
  incorporationCountryIso3Code: null,
  isTest: false,
};

export function readCaseListQuery(query: Query, analystId: string) {
  const reader = new QueryReader(query);
  const claimedBy = reader.text("claimedBy");
  const isMine = reader.flag("mine") || claimedBy === "me";
  const filter: CaseFilter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    analystId: isMine ? analystId : null,
    analystEmail: claimedBy === "me" ? null : (claimedBy?.toLowerCase() ?? null),
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
    /** By the time of submission: 1 is oldest first. */
    order: (sort === "newest" ? -1 : 1) as 1 | -1,
    paging,
    pageSize: reader.integer("pageSize", DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  });
}

/** An id, or the beginning of a name and a whole reference. */
type CaseSearch = { customerId: string } | { namePrefix: string; reference: string };

function searchOf(text: string | undefined): CaseSearch | null {
  if (!text) return null;
  return isUuid(text)
    ? { customerId: text.toLowerCase() }
    : { namePrefix: foldedName(text), reference: text };
}
