/** The rules for the window of a replay, and the selection of its events. */
import { EVENT_DAYS, EVENT_RETENTION_MS, REPLAY_WINDOW_MS } from "../../../shared/contract/durations.ts";
import type { DeliveryStatus } from "../../../shared/contract/vocabularies.ts";
import { AppError } from "../../../shared/errors.ts";
import { QueryReader } from "../../../shared/input/query-reader.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { eventTypesLike, readRange, readStatuses } from "../history/history.rules.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { AskedReplay, ReplayJob } from "./replay-job.model.ts";

export type ReplayWindow = {
  from: Date;
  /** Belongs to the window. */
  to: Date;
  eventTypes: readonly string[];
  /** Only events whose last delivery has this status. */
  status: DeliveryStatus | null;
  includeUnrouted: boolean;
  /** Only counted, not sent. */
  dryRun: boolean;
};

export function parseWindow(body: unknown, nowMs: number): ReplayWindow {
  const fields = isRecord(body) ? body : {};
  const reader = new QueryReader(fields);
  const { from, to } = reader.finish(readRange(reader));
  if (!from || !to) throw new AppError("Webhook.RangeInvalid", "from and to are required.");
  if (to.getTime() - from.getTime() > REPLAY_WINDOW_MS)
    throw new AppError("Webhook.RangeTooWide", "A replay spans at most seven days.");
  if (nowMs - from.getTime() > EVENT_RETENTION_MS) throw eventExpired();
  const [status = null, ...others] = readStatuses(reader);
  return reader.finish({
    from,
    to,
    eventTypes: eventTypesLike(readTypeName(reader, fields.eventType)),
    status: others.length > 0 ? null : status,
    includeUnrouted: readFlag(reader, "includeUnrouted", fields.includeUnrouted),
    dryRun: readFlag(reader, "dryRun", fields.dryRun),
  });
}

/** A second click or a client's retry within this time is the same request; later it is a new one. */
const SAME_REQUEST_MS = 10 * 60 * 1_000;

/** Whether a request asks for the replay that is under way, or was asked for a moment ago. */
export function isSameReplay(job: ReplayJob, asked: AskedReplay): boolean {
  const ageMs = asked.askedAt.getTime() - job.askedAt.getTime();
  const isRecent = job.finishedAt === null || ageMs < SAME_REQUEST_MS;
  return isRecent && fingerprint(job) === fingerprint(asked);
}

const fingerprint = ({ endpointId, from, to, eventTypes, status, includeUnrouted }: AskedReplay): string =>
  JSON.stringify([endpointId, from, to, eventTypes, status, includeUnrouted]);

export function replayUnderway({ _id, created, expected }: ReplayJob): AppError {
  const message = `Replay ${_id} is not finished (${created} of ${expected}); ask again when it is.`;
  const details = [{ field: "replaySeries", code: "Webhook.ReplayUnderway", message: _id }];
  return new AppError("Webhook.ReplayUnderway", message, { details, retryAfterSeconds: 10 });
}

/** Replays may wait for days. A window is scheduled no further ahead than this; the rest of it is only a cursor. */
export const SCHEDULED_AHEAD = 5_000;

/** Above SCHEDULED_AHEAD, so that a long window leaves room for replays of single deliveries. */
export const MAX_WAITING = 10_000;

export const tooManyReplays = (): AppError =>
  new AppError(
    "Webhook.TooManyReplays",
    `${MAX_WAITING} replays wait to be sent; ask again when some of them are finished.`,
    { retryAfterSeconds: 60 },
  );

export const eventExpired = (): AppError =>
  new AppError("Webhook.EventExpired", `Events are kept for ${EVENT_DAYS} days; this is older.`);

function readTypeName(reader: QueryReader, value: unknown): unknown {
  if (value === undefined || value === null || typeof value === "string") return value;
  return reader.refuse("eventType", "must be the name of an event type");
}

/** A boolean of JSON, unlike the text of a query. */
function readFlag(reader: QueryReader, field: string, value: unknown): boolean {
  if (value !== undefined && value !== null && typeof value !== "boolean")
    reader.refuse(field, "must be true or false");
  return value === true;
}

export type PastDelivery = Pick<DeliveryRecord, "eventId" | "createdAt" | "status" | "completedAt">;

/** By the state when the replay was requested, from facts that no longer change: a repetition gives the same answer. */
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
