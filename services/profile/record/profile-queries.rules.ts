/** Filters as MongoDB queries; plain data, so a test can run explain on each. */

import {
  REVIEW_STAGES,
  type ReviewStage,
  type VerificationStatus,
} from "../../../shared/contract/vocabularies.ts";
import { lowestIdAt } from "../../../shared/ids.ts";
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import type { ProfileFilter } from "./list-filter.rules.ts";
import { REVIEW_STATES } from "./verification.rules.ts";

type Query = Record<string, unknown>;

export function filterQuery(
  partnerId: string,
  filter: ProfileFilter,
  afterId: string | null,
  nowIso: string,
): Query {
  const { created, updated } = filter;
  const ends = [created.to && lowestIdAt(Date.parse(created.to) + 1), afterId];
  const [end] = ends.filter((id) => id !== null).toSorted();
  const id = {
    ...(created.from ? { $gte: lowestIdAt(Date.parse(created.from)) } : {}),
    ...(end ? { $lt: end } : {}),
  };
  const update = {
    ...(updated.from ? { $gte: updated.from } : {}),
    ...(updated.to ? { $lte: updated.to } : {}),
  };
  const prefix = filter.companyNamePrefix;
  return {
    partnerId,
    ...only("partnerCustomerId", filter.partnerCustomerId),
    ...only("registrationNumber", filter.registrationNumber),
    ...only("incorporationCountryIso3Code", filter.incorporationCountryIso3Code),
    ...only("businessTypeCode", filter.businessTypeCode),
    ...only("industry", filter.industry),
    ...(prefix ? namePrefixQuery(prefix) : {}),
    ...(Object.keys(id).length > 0 ? { _id: id } : {}),
    ...(Object.keys(update).length > 0 ? { updatedAt: update } : {}),
    ...stateQuery(filter.verificationStatus, filter.reviewStage, nowIso),
  };
}

export type CaseFilter = {
  verificationStatus: VerificationStatus | null;
  reviewStage: ReviewStage | null;
  analystId: string | null;
  analystEmail: string | null;
  incorporationCountryIso3Code: string | null;
  /** Test customers have their own queue. */
  isTest: boolean;
};

export function caseQuery(filter: CaseFilter, nowIso: string): Query {
  const { verificationStatus, reviewStage, analystId, analystEmail, isTest } = filter;
  const country = filter.incorporationCountryIso3Code;
  const isOwned = analystId !== null || analystEmail !== null;
  return {
    isTest: isTest ? true : null,
    ...only("claim.analystId", analystId),
    ...only("claim.analystEmail", analystEmail),
    ...(isOwned ? { "claim.leaseUntil": { $gt: nowIso } } : {}),
    ...(isOwned || verificationStatus || reviewStage || country ? {} : SUBMITTED),
    ...only("incorporationCountryIso3Code", country),
    // The index by country has the stages before the time, so each is named.
    ...(country && !verificationStatus && !reviewStage ? { reviewStage: { $in: [...REVIEW_STAGES] } } : {}),
    ...stateQuery(verificationStatus, reviewStage, nowIso),
  };
}

/** Cases after a case, in the order of submission. */
export function casesBehind({ at, id }: TimePosition, order: 1 | -1): Query {
  const submittedAt = at.toISOString();
  const [reached, passed] = order === 1 ? ["$gte", "$lte"] : ["$lte", "$gte"];
  return {
    submittedAt: { [reached]: submittedAt },
    // Cases of the same moment.
    $nor: [{ submittedAt, _id: { [passed]: id } }],
  };
}

/** The index that has the cases of a filter in their order; without a hint the server may sort them instead. */
export function caseIndex(filter: CaseFilter): string {
  if (filter.analystId !== null) return "cases_of_analyst";
  if (filter.analystEmail !== null) return "cases_of_email";
  if (filter.incorporationCountryIso3Code !== null) return "cases_by_country";
  if (filter.isTest) return "test_cases";
  return filter.reviewStage || filter.verificationStatus ? "cases_by_status" : "cases";
}

/**
 * By reference and by name, each with its index. The query names every partner and uses the indexes per partner. An index
 * across partners would cost every create, for the few searches of analysts.
 */
export function searchQueries(
  { namePrefix, reference }: { namePrefix: string; reference: string },
  partnerIds: readonly string[],
  filter: CaseFilter,
  nowIso: string,
): { index: string; query: Query }[] {
  const query = { ...caseQuery(filter, nowIso), partnerId: { $in: [...partnerIds] } };
  return [
    { index: "reference", query: { ...query, partnerCustomerId: reference } },
    { index: "by_name", query: { ...query, ...namePrefixQuery(namePrefix) } },
  ];
}

/** Names that begin with this, folded. */
const namePrefixQuery = (prefix: string): Query => ({
  companyNameKey: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` },
});

/** Every customer that is not erased: an erased one has neither this nor a state. */
const SUBMITTED = { submittedAt: { $gt: "" } };

/** The last customer of a page. */
export type ClosedPosition = { updatedAt: string; _id: string };

/** Decided customers that have not changed since; sorted by that time and by id. */
export const closedQuery = (
  verificationStatus: VerificationStatus,
  unchangedSince: string,
  after: ClosedPosition | null,
): Query => ({
  reviewStage: "Closed",
  verificationStatus,
  updatedAt: { $lte: unchangedSince, ...(after ? { $gte: after.updatedAt } : {}) },
  ...(after
    ? {
        $or: [
          { updatedAt: { $gt: after.updatedAt } },
          { updatedAt: after.updatedAt, _id: { $gt: after._id } },
        ],
      }
    : {}),
});

const only = (field: string, value: string | null) => (value === null ? {} : { [field]: value });

/**
 * Status and stage share one index, so a filter by one of them names the values of the other that can go with it.
 * A case whose claim has lapsed counts as Queued, although its record still says UnderReview.
 */
export function stateQuery(
  status: VerificationStatus | null,
  stage: ReviewStage | null,
  nowIso: string,
): Query {
  if (stage === null)
    return status === null ? {} : { verificationStatus: status, reviewStage: { $in: [...REVIEW_STAGES] } };
  const states = REVIEW_STATES.filter(
    (state) => state.reviewStage === stage && (status === null || state.verificationStatus === status),
  );
  const statuses = states.map(({ verificationStatus }) => verificationStatus);
  const named = (each: ReviewStage) => ({
    verificationStatus: { $in: statuses },
    reviewStage: { $in: [each] },
  });
  if (stage === "UnderReview") return { ...named(stage), "claim.leaseUntil": { $gt: nowIso } };
  const lapsed = { ...named("UnderReview"), "claim.leaseUntil": { $lte: nowIso } };
  return stage === "Queued" ? { $or: [named(stage), lapsed] } : named(stage);
}
