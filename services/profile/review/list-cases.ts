/** The queue of the analysts, oldest first. */
import { isoTime } from "../../../shared/clock.ts";
import { pageTotal } from "../../../shared/page-total.ts";
import type { Parts } from "../deps.ts";
import { QueryReader, readPage } from "../record/list-filter.rules.ts";
import { currentState } from "../record/verification.rules.ts";
import { REVIEW_STAGES, VERIFICATION_STATUSES } from "../record/vocabularies.rules.ts";
import { caseSummary } from "./case.view.ts";

type Deps = Pick<Parts, "profiles" | "clock">;

export async function listCases(
  { profiles, clock }: Deps,
  analystId: string,
  query: Record<string, unknown>,
) {
  const reader = new QueryReader(query);
  const filter = {
    verificationStatus: reader.oneOf("verificationStatus", VERIFICATION_STATUSES),
    reviewStage: reader.oneOf("reviewStage", REVIEW_STAGES),
    analystId: reader.flag("mine") ? analystId : null,
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

function readPageNumber(query: Record<string, unknown>, reader: QueryReader) {
  const { cursor: _cursor, ...rest } = query;
  const page = readPage(rest, reader);
  return { page: page.kind === "page" ? page.page : 1, pageSize: page.pageSize };
}
