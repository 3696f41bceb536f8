/** What a caller may ask of the delivery history. */
import { DELIVERY_STATUSES, type DeliveryStatus } from "../../../shared/action-types/delivery.ts";
import { EVENT_TYPES } from "../../../shared/events/events.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/query-reader.ts";

/** Both ends belong to it; null is open. */
export type TimeRange = { from: Date | null; to: Date | null };

export type HistoryFilter = TimeRange & {
  statuses: readonly DeliveryStatus[];
  /** Empty when none can match. */
  eventTypes: readonly string[];
};

export type HistoryQuery = HistoryFilter & { page: number; pageSize: number };

export const ALL_EVENT_TYPES: readonly string[] = EVENT_TYPES.map(({ name }) => name);

export function parseHistoryQuery(query: Query): HistoryQuery {
  const reader = new QueryReader(query);
  const filter = {
    statuses: readStatuses(reader),
    eventTypes: eventTypesLike(query.eventType),
    ...readRange(reader),
  };
  const page = reader.integer("page", 1, MAX_PAGE);
  // However large a page is asked for, the largest one is answered.
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, Number.MAX_SAFE_INTEGER);
  return reader.finish({ ...filter, page, pageSize: Math.min(MAX_PAGE_SIZE, pageSize) });
}

export function readStatuses(reader: QueryReader): readonly DeliveryStatus[] {
  const status = reader.oneOf("status", DELIVERY_STATUSES, "Webhook.StatusUnknown");
  return status ? [status] : DELIVERY_STATUSES;
}

export function readRange(reader: QueryReader): TimeRange {
  const from = reader.time("from", "Webhook.RangeInvalid");
  const to = reader.time("to", "Webhook.RangeInvalid");
  if (from && to && to <= from) reader.refuse("to", "must be after from", "Webhook.RangeInvalid");
  return { from, to };
}

/** All of them when none is named, none when the named one does not exist. */
export const eventTypesLike = (value: unknown): readonly string[] =>
  value === undefined || value === null || value === ""
    ? ALL_EVENT_TYPES
    : ALL_EVENT_TYPES.filter((name) => name === value);
