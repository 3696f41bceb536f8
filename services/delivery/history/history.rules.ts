/** What a caller may ask of the delivery history. */

import { DELIVERY_STATUSES, type DeliveryStatus } from "../../../shared/action-types/delivery.ts";
import { AppError } from "../../../shared/errors.ts";
import { EVENT_TYPES } from "../../../shared/events/events.ts";
import { parseRange, type TimeRange } from "./time-range.rules.ts";

export type HistoryFilter = TimeRange & {
  statuses: readonly DeliveryStatus[];
  /** Empty when none can match. */
  eventTypes: readonly string[];
};

export type HistoryQuery = HistoryFilter & { page: number; pageSize: number };

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** Pages beyond this many deliveries are refused: a narrower filter finds them faster. */
const MAX_PAGE = 1_000_000;

const ALL_TYPES: readonly string[] = EVENT_TYPES.map(({ name }) => name);

export function parseHistoryQuery(query: Readonly<Record<string, unknown>>): HistoryQuery {
  const { status, eventType, from, to, page, pageSize } = query;
  return {
    statuses: parseStatus(status),
    eventTypes: parseEventType(eventType),
    ...parseRange(from, to),
    page: parseCount("page", page, 1, MAX_PAGE),
    pageSize: Math.min(
      MAX_PAGE_SIZE,
      parseCount("pageSize", pageSize, DEFAULT_PAGE_SIZE, Number.MAX_SAFE_INTEGER),
    ),
  };
}

export function parseStatus(value: unknown): readonly DeliveryStatus[] {
  if (isAbsent(value)) return DELIVERY_STATUSES;
  const known = DELIVERY_STATUSES.find((status) => status === value);
  if (!known)
    throw new AppError("Webhook.StatusUnknown", `status must be one of ${DELIVERY_STATUSES.join(", ")}.`);
  return [known];
}

export function parseEventType(value: unknown): readonly string[] {
  if (isAbsent(value)) return ALL_TYPES;
  return ALL_TYPES.filter((name) => name === value);
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

function parseCount(field: string, value: unknown, whenAbsent: number, max: number): number {
  if (isAbsent(value)) return whenAbsent;
  const count = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= 1 && count <= max) return count;
  const message = `${field} must be a whole number, at least 1`;
  throw new AppError("ValidationControl.Error", `${message}.`, {
    details: [{ field, code: "ValidationControl.Error", message }],
  });
}
