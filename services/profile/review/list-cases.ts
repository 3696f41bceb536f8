/** The queue of the analysts and its length. */

import { isoTime } from "../../../shared/clock.ts";
import type { CaseCounts, CaseList } from "../../../shared/contract/answers/case.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { pageTotal } from "../../../shared/input/page-total.ts";
import { type Query, QueryReader } from "../../../shared/input/query-reader.ts";
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import type { Deps } from "../deps.ts";
import type { Profile } from "../record/profile.types.ts";
import type { CaseFilter } from "../record/profile-queries.rules.ts";
import { currentState } from "../record/verification.rules.ts";
import { namedCase } from "./case.view.ts";
import { type CaseListQuery, EVERY_CASE, readCaseListQuery } from "./case-filter.rules.ts";

/** Results of a search by name, and by reference. */
const MAX_FOUND = 200;
/** A count reads what it counts, and closed cases only grow. */
const COUNTED_UP_TO = 1_000;

type ListDeps = Pick<Deps, "cases" | "clock">;
type Found = Omit<CaseList, "items" | "pageSize"> & { cases: Profile[] };

export async function listCases(
  deps: ListDeps & Pick<Deps, "partnerNames">,
  analystId: string,
  query: Query,
): Promise<CaseList> {
  const wanted = readCaseListQuery(query, analystId);
  const { search, paging } = wanted;
  const now = isoTime(deps.clock);
  const { cases, ...where } = await (paging.kind === "cursor"
    ? pageBehind(deps, wanted, paging.after, now)
    : search
      ? searchPage(deps, wanted, search, paging.page, now)
      : numberedPage(deps, wanted, paging.page, now));
  const names = await deps.partnerNames(cases.map(({ partnerId }) => partnerId));
  const items = cases.map((profile) => namedCase(currentState(profile, now), names));
  return { items, pageSize: wanted.pageSize, ...where };
}

export async function countCases(
  { cases, clock }: ListDeps,
  analystId: string,
  query: Query,
): Promise<CaseCounts> {
  const reader = new QueryReader(query);
  const every = { ...EVERY_CASE, isTest: reader.finish(reader.flag("test")) };
  const now = isoTime(clock);
  const count = (filter: Partial<CaseFilter>) => cases.count({ ...every, ...filter }, now, COUNTED_UP_TO);
  const [Queued, UnderReview, AwaitingPartner, Closed, mine] = await Promise.all([
    count({ reviewStage: "Queued" }),
    count({ reviewStage: "UnderReview" }),
    count({ reviewStage: "AwaitingPartner" }),
    count({ reviewStage: "Closed" }),
    count({ analystId }),
  ]);
  return { Queued, UnderReview, AwaitingPartner, Closed, mine, countedUpTo: COUNTED_UP_TO };
}

async function pageBehind(
  deps: ListDeps,
  { filter, order, pageSize }: CaseListQuery,
  after: TimePosition | null,
  now: string,
): Promise<Found> {
  const found = await deps.cases.list(filter, { order, after, limit: pageSize + 1 }, now);
  const cases = found.slice(0, pageSize);
  const last = found.length > pageSize ? cases.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(Date.parse(last.submittedAt), last._id) : null;
  return { cases, page: null, total: null, nextCursor };
}

async function numberedPage(
  deps: ListDeps,
  { filter, order, pageSize }: CaseListQuery,
  page: number,
  now: string,
): Promise<Found> {
  const [cases, counted] = await Promise.all([
    deps.cases.list(filter, { order, skip: (page - 1) * pageSize, limit: pageSize }, now),
    deps.cases.count(filter, now),
  ]);
  return { cases, page, total: pageTotal({ page, pageSize }, cases.length, counted), nextCursor: null };
}

/** Few enough to be sorted here. */
async function searchPage(
  { cases }: ListDeps,
  { filter, pageSize }: CaseListQuery,
  search: NonNullable<CaseListQuery["search"]>,
  page: number,
  now: string,
): Promise<Found> {
  const found = await ("customerId" in search
    ? cases.find(search.customerId, filter, now)
    : cases.search(search, filter, MAX_FOUND, now));
  const sorted = found.toSorted((a, b) => order(a.companyNameKey, b.companyNameKey) || order(a._id, b._id));
  const shown = sorted.slice((page - 1) * pageSize, page * pageSize);
  return { cases: shown, page, total: sorted.length, nextCursor: null };
}

const order = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
