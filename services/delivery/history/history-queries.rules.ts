/** Filters of the history as MongoDB queries; plain data, so that a test can run explain on each. */
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import { ALL_EVENT_TYPES, type HistoryFilter } from "./history.rules.ts";
import type { Span } from "./tally.rules.ts";

type Query = Record<string, unknown>;

/** The index that leads to a filter; it is named with the query, so that no other is tried. */
export function historyIndex({ replaySeries, customerId, failures }: HistoryFilter): string {
  if (replaySeries !== null) return "series";
  if (customerId !== null) return "customer";
  return failures === null ? "history" : "failures";
}

/** Sorted newest first, and what comes behind a position. */
export function pageQuery(partnerId: string, filter: HistoryFilter, after: TimePosition | null): Query {
  const { from, before } = spanOf(filter);
  const end = after && new Date(after.at.getTime() + 1);
  const earlier = [before, end].flatMap((time) => (time ? [time.getTime()] : []));
  return {
    ...historyQuery(partnerId, filter, [true, false], {
      from,
      before: earlier.length > 0 ? new Date(Math.min(...earlier)) : null,
    }),
    // Cases of the same moment.
    ...(after ? { $nor: [{ occurredAt: after.at, _id: { $gte: after.id } }] } : {}),
  };
}

/** Names every value of the leading fields, so that each index returns its runs in order. */
export function historyQuery(
  partnerId: string,
  filter: HistoryFilter,
  counted: readonly boolean[],
  span: Span,
): Query {
  const { statuses, eventTypes, failures } = filter;
  const isHistory = historyIndex(filter) === "history";
  const isEveryType = eventTypes.length === ALL_EVENT_TYPES.length;
  return {
    partnerId,
    ...(isHistory ? { counted: { $in: [...counted] } } : {}),
    status: { $in: [...statuses] },
    ...(isHistory || !isEveryType ? { eventType: { $in: [...eventTypes] } } : {}),
    ...(failures ? { lastFailure: { $in: [...failures] } } : {}),
    ...only("eventId", filter.eventId),
    ...only("customerId", filter.customerId),
    ...only("replaySeries", filter.replaySeries),
    ...within("occurredAt", span),
  };
}

/** Both ends of a filter belong to it. */
export const spanOf = ({ from, to }: HistoryFilter): Span => ({
  from,
  before: to && new Date(to.getTime() + 1),
});

export const within = (field: string, { from, before }: Span) =>
  from || before ? { [field]: { ...(from ? { $gte: from } : {}), ...(before ? { $lt: before } : {}) } } : {};

const only = (field: string, value: string | null) => (value === null ? {} : { [field]: value });
