/** A page of the delivery history. */
import type { HistoryPage } from "../../../shared/action-types/delivery.ts";
import type { Clock } from "../../../shared/clock.ts";
import { pageTotal } from "../../../shared/page-total.ts";
import { shownSince } from "../records/retention.rules.ts";
import { toView } from "./delivery.view.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { parseHistoryQuery } from "./history.rules.ts";

type Deps = { history: Pick<HistoryRepository, "page" | "total">; clock: Clock };

export async function listDeliveries(
  { history, clock }: Deps,
  partnerId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<HistoryPage> {
  const { page, pageSize, ...asked } = parseHistoryQuery(query);
  const since = shownSince(clock.now());
  const filter = { ...asked, from: asked.from && asked.from > since ? asked.from : since };
  if (filter.eventTypes.length === 0) return { items: [], page, pageSize, total: 0 };
  const [items, counted] = await Promise.all([
    history.page(partnerId, filter, (page - 1) * pageSize, pageSize),
    history.total(partnerId, filter),
  ]);
  const total = pageTotal({ page, pageSize }, items.length, counted);
  return { items: items.map(toView), page, pageSize, total };
}
