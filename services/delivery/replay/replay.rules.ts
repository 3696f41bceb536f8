/** What a replay may ask for, and which events it takes. */

import type { DeliveryStatus } from "../../../shared/action-types/delivery.ts";
import { AppError } from "../../../shared/errors.ts";
import { parseEventType, parseStatus } from "../history/history.rules.ts";
import { EVENT_RETENTION_MS } from "../history/retention.rules.ts";
import { parseRange, rangeInvalid } from "../history/time-range.rules.ts";
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
  const { from, to, eventType, status, includeUnrouted } = asObject(body);
  const range = parseRange(from, to);
  if (!range.from || !range.to) throw rangeInvalid("from and to are required.");
  if (range.to.getTime() - range.from.getTime() > MAX_WINDOW_MS)
    throw new AppError("Webhook.RangeTooWide", "A replay spans at most seven days.");
  if (nowMs - range.from.getTime() > EVENT_RETENTION_MS) throw eventExpired();
  const statuses = parseStatus(status);
  return {
    from: range.from,
    to: range.to,
    eventTypes: parseEventType(eventType),
    status: statuses.length === 1 ? (statuses[0] ?? null) : null,
    includeUnrouted: parseFlag("includeUnrouted", includeUnrouted),
  };
}

export const eventExpired = (): AppError =>
  new AppError("Webhook.EventExpired", "Events are kept for 30 days; this is older.");

function parseFlag(field: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return value === true;
  const message = `${field} must be true or false`;
  throw new AppError("ValidationControl.Error", `${message}.`, {
    details: [{ field, code: "ValidationControl.Error", message }],
  });
}

const asObject = (body: unknown): Record<string, unknown> =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};

export type PastDelivery = Pick<DeliveryRecord, "eventId" | "createdAt" | "status" | "completedAt">;

/**
 * Judges as of the moment the replay was asked for, from facts that do not change any more: the answer is the same
 * however often and however late it is asked.
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
