/** A page of the delivery history. */
import type { HistoryPage } from "../../../shared/action-types/delivery.ts";
import { pageTotal } from "../../../shared/page-total.ts";
import { toView } from "./delivery.view.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { parseHistoryQuery } from "./history.rules.ts";

type Deps = { history: Pick<HistoryRepository, "page" | "total"> };

export async function listDeliveries(
  { history }: Deps,
  partnerId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<HistoryPage> {
  const { page, pageSize, ...filter } = parseHistoryQuery(query);
  if (filter.eventTypes.length === 0) return { items: [], page, pageSize, total: 0 };
  const [items, counted] = await Promise.all([
    history.page(partnerId, filter, (page - 1) * pageSize, pageSize),
    history.total(partnerId, filter),
  ]);
  const total = pageTotal({ page, pageSize }, items.length, counted);
  return { items: items.map(toView), page, pageSize, total };
}
