/** What a replay may ask for, and which events it takes. */
import type { DeliveryStatus } from "../../../shared/action-types/delivery.ts";
import { AppError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { QueryReader } from "../../../shared/query-reader.ts";
import { eventTypesLike, readRange, readStatuses } from "../history/history.rules.ts";
import { EVENT_RETENTION_MS } from "../history/retention.rules.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";

export type ReplayWindow = {
  from: Date;
  /** Belongs to the window. */
  to: Date;
  eventTypes: readonly string[];
  /** Only events whose last delivery has this status. */
  status: DeliveryStatus | null;
  includeUnrouted: boolean;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const MAX_WINDOW_MS = 7 * DAY_MS;

export function parseWindow(body: unknown, nowMs: number): ReplayWindow {
  const fields = isRecord(body) ? body : {};
  const reader = new QueryReader(fields);
  const { from, to } = reader.finish(readRange(reader));
  if (!from || !to) throw new AppError("Webhook.RangeInvalid", "from and to are required.");
  if (to.getTime() - from.getTime() > MAX_WINDOW_MS)
    throw new AppError("Webhook.RangeTooWide", "A replay spans at most seven days.");
  if (nowMs - from.getTime() > EVENT_RETENTION_MS) throw eventExpired();
  const [status = null, ...others] = readStatuses(reader);
  return reader.finish({
    from,
    to,
    eventTypes: eventTypesLike(fields.eventType),
    status: others.length > 0 ? null : status,
    includeUnrouted: readFlag(reader, "includeUnrouted", fields.includeUnrouted),
  });
}

export const eventExpired = (): AppError =>
  new AppError("Webhook.EventExpired", "Events are kept for 30 days; this is older.");

/** A boolean of JSON, unlike the text of a query. */
function readFlag(reader: QueryReader, field: string, value: unknown): boolean {
  if (value !== undefined && value !== null && typeof value !== "boolean")
    reader.refuse(field, "must be true or false");
  return value === true;
}

export type PastDelivery = Pick<DeliveryRecord, "eventId" | "createdAt" | "status" | "completedAt">;

/**
 * Judges by the state at the moment the replay was asked for, from facts that no longer change: the answer is always
 * the same.
 */
export function isWanted(
  past: readonly PastDelivery[],
  { status, includeUnrouted }: Pick<ReplayWindow, "status" | "includeUnrouted">,
  askedAt: Date,
): boolean {
  if (status === null) return true;
  const known = past.filter(({ createdAt }) => createdAt <= askedAt);
  const last = known.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];
  return last ? statusAt(last, askedAt) === status : includeUnrouted;
}

const statusAt = ({ status, completedAt }: PastDelivery, at: Date): DeliveryStatus =>
  completedAt && completedAt <= at ? status : "Pending";
