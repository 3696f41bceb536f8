/** Permitted queries of the delivery history. */
import { EVENT_TYPES } from "../../../shared/contract/events.ts";
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  FAILURE_KINDS,
  RESPONSE_CLASSES,
} from "../../../shared/contract/vocabularies.ts";
import { isUuid } from "../../../shared/ids.ts";
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Query,
  QueryReader,
} from "../../../shared/input/query-reader.ts";
import { type Paging, readPaging } from "../../../shared/input/time-pages.rules.ts";
import { failureWords } from "../records/last-failure.rules.ts";

/** Both ends belong to it; null is open. */
export type TimeRange = { from: Date | null; to: Date | null };

export type HistoryFilter = TimeRange & {
  /** Empty when none can match, as the next two. */
  statuses: readonly DeliveryStatus[];
  eventTypes: readonly string[];
  /** Words of last-failure.rules.ts; null when it does not matter. */
  failures: readonly string[] | null;
  eventId: string | null;
  customerId: string | null;
  replaySeries: string | null;
};

export type HistoryQuery = HistoryFilter & { paging: Paging; pageSize: number };

export const ALL_EVENT_TYPES: readonly string[] = EVENT_TYPES.map(({ name }) => name);

export function parseHistoryQuery(query: Query): HistoryQuery {
  const reader = new QueryReader(query);
  const filter = {
    ...readResult(reader),
    eventTypes: eventTypesLike(query.eventType),
    ...readRange(reader),
    eventId: readId(reader, "eventId"),
    customerId: readId(reader, "customerId"),
    replaySeries: readId(reader, "replaySeries"),
  };
  const paging = readPaging(query, reader);
  // However large a page is asked for, the largest one is answered.
  const pageSize = reader.integer("pageSize", DEFAULT_PAGE_SIZE, Number.MAX_SAFE_INTEGER);
  return reader.finish({ ...filter, paging, pageSize: Math.min(MAX_PAGE_SIZE, pageSize) });
}

export const canMatch = ({ statuses, eventTypes, failures }: HistoryFilter): boolean =>
  statuses.length > 0 && eventTypes.length > 0 && failures?.length !== 0;

/** A delivery was answered 2xx exactly when it is Delivered; every other answer is a failure. */
function readResult(reader: QueryReader): Pick<HistoryFilter, "statuses" | "failures"> {
  const statuses = readStatuses(reader);
  const answer = reader.oneOf("responseClass", RESPONSE_CLASSES);
  const kind = reader.oneOf("errorKind", FAILURE_KINDS);
  if (answer === "2xx" && kind === null)
    return { statuses: statuses.filter((status) => status === "Delivered"), failures: null };
  if (answer === null && kind === null) return { statuses, failures: null };
  return { statuses, failures: answer === "2xx" ? [] : failureWords(kind, answer) };
}

function readId(reader: QueryReader, field: string): string | null {
  const value = reader.text(field);
  return value === null || isUuid(value)
    ? (value?.toLowerCase() ?? null)
    : reader.refuse(field, "must be a UUID");
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
