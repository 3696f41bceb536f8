/** A page of the delivery history. */
import type { Clock } from "../../../shared/clock.ts";
import type { HistoryPage } from "../../../shared/contract/answers/delivery.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { pageTotal } from "../../../shared/input/page-total.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { shownSince } from "../records/retention.rules.ts";
import { toView } from "./delivery.view.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { canMatch, type HistoryFilter, parseHistoryQuery } from "./history.rules.ts";

type Deps = {
  history: Pick<HistoryRepository, "page" | "total">;
  events: Pick<EventRepository, "find">;
  clock: Clock;
};

export async function listDeliveries(
  deps: Deps,
  partnerId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<HistoryPage> {
  const { history, clock } = deps;
  const { paging, pageSize, ...asked } = parseHistoryQuery(query);
  const since = shownSince(clock.now());
  const shown = { ...asked, from: asked.from && asked.from > since ? asked.from : since };
  const filter = canMatch(shown) ? await atItsEvent(deps, partnerId, shown) : null;
  const isNumbered = paging.kind === "page";
  const page = isNumbered ? paging.page : null;
  if (!filter) return { items: [], page, pageSize, total: isNumbered ? 0 : null, nextCursor: null };
  const start = isNumbered
    ? { skip: (paging.page - 1) * pageSize, after: null }
    : { skip: 0, after: paging.after };
  const [found, counted] = await Promise.all([
    // An extra row shows whether there is a next page.
    history.page(partnerId, filter, start, pageSize + 1),
    isNumbered ? history.total(partnerId, filter) : 0,
  ]);
  const items = found.slice(0, pageSize);
  const last = found.length > pageSize ? items.at(-1) : undefined;
  return {
    items: items.map(toView),
    page,
    pageSize,
    total: isNumbered ? pageTotal({ page: paging.page, pageSize }, items.length, counted) : null,
    nextCursor: last ? encodeCursor(last.occurredAt.getTime(), last._id) : null,
  };
}

/** Deliveries of an event have its type and its time, so the history's own index leads to them. */
async function atItsEvent(
  { events }: Pick<Deps, "events">,
  partnerId: string,
  filter: HistoryFilter,
): Promise<HistoryFilter | null> {
  if (filter.eventId === null) return filter;
  const event = await events.find(partnerId, filter.eventId);
  if (!event) return null;
  const { eventType, occurredAt } = event;
  const isInRange = (filter.from ?? occurredAt) <= occurredAt && occurredAt <= (filter.to ?? occurredAt);
  if (!isInRange || !filter.eventTypes.includes(eventType)) return null;
  return { ...filter, eventTypes: [eventType], from: occurredAt, to: occurredAt };
}
