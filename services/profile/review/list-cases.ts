/** The queue of the analysts, oldest first. */
import { REVIEW_STAGES, VERIFICATION_STATUSES } from "../../../shared/action-types/customer.ts";
import type { CaseList } from "../../../shared/action-types/profile.ts";
import { isoTime } from "../../../shared/clock.ts";
import { pageTotal } from "../../../shared/page-total.ts";
import { type Query, QueryReader } from "../../../shared/query-reader.ts";
import type { Deps } from "../deps.ts";
import { readPage } from "../record/list-filter.rules.ts";
import { currentState } from "../record/verification.rules.ts";
import { caseSummary } from "./case.view.ts";

export async function listCases(
  { profiles, clock }: Pick<Deps, "profiles" | "clock">,
  analystId: string,
  query: Query,
): Promise<CaseList> {
  const reader = new QueryReader(query);
  const filter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    analystId: reader.flag("mine") ? analystId : null,
    isTest: reader.flag("test"),
  };
  const { page, pageSize } = reader.finish(readPageNumber(query, reader));
  const now = isoTime(clock);
  const [found, counted] = await Promise.all([
    profiles.listCases(filter, (page - 1) * pageSize, pageSize, now),
    profiles.countCases(filter, now),
  ]);
  const total = pageTotal({ page, pageSize }, found.length, counted);
  return { items: found.map((profile) => caseSummary(currentState(profile, now))), page, pageSize, total };
}

function readPageNumber(query: Query, reader: QueryReader) {
  const { cursor: _cursor, ...rest } = query;
  const page = readPage(rest, reader);
  return { page: page.kind === "page" ? page.page : 1, pageSize: page.pageSize };
}
