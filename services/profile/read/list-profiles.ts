/** A page of a partner's customers, newest first. */

import { isoTime } from "../../../shared/clock.ts";
import type { CustomerList } from "../../../shared/contract/answers/customer.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { pageTotal } from "../../../shared/input/page-total.ts";
import type { Query } from "../../../shared/input/query-reader.ts";
import type { Deps } from "../deps.ts";
import { readListQuery } from "../record/list-filter.rules.ts";
import { currentState } from "../record/verification.rules.ts";
import { listItemView } from "./profile.view.ts";

export async function listProfiles(
  { profiles, clock }: Pick<Deps, "profiles" | "clock">,
  partnerId: string,
  query: Query,
): Promise<CustomerList> {
  const { filter, page } = readListQuery(query);
  const now = isoTime(clock);
  const [found, counted] = await Promise.all([
    profiles.list(partnerId, filter, page, now),
    // A count reads every match; a page by cursor must not depend on how many there are.
    page.kind === "page" ? profiles.count(partnerId, filter, now) : 0,
  ]);
  const items = found.slice(0, page.pageSize);
  const last = found.length > page.pageSize ? items.at(-1) : undefined;
  return {
    items: items.map((profile) => listItemView(currentState(profile, now))),
    page: page.kind === "page" ? page.page : null,
    pageSize: page.pageSize,
    total: page.kind === "page" ? pageTotal(page, items.length, counted) : null,
    nextCursor: last ? encodeCursor(Date.parse(last.createdAt), last._id) : null,
  };
}
