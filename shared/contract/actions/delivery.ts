/** Requests and answers of the delivery service. */
import type { Called, CommonActions, Routed } from "./action.ts";
import type { AuditEntry, AuditLinks, AuditLinksQuery, AuditQuery } from "./audit.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

export const DELIVERY_STATUSES = ["Pending", "Delivered", "Exhausted"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const ATTEMPT_ERROR_KINDS = [
  /** A deadline passed: the connection's or the whole attempt's. */
  "Timeout",
  /** The host could not be resolved, or not in time. */
  "Dns",
  /** No connection, one that broke before the answer, or an answer that is not HTTP. */
  "Connect",
  "Tls",
  "HttpStatus",
  "Redirect",
  "UrlNotPublic",
] as const;
export type AttemptErrorKind = (typeof ATTEMPT_ERROR_KINDS)[number];

/** Of an answer by its status; none when there was none. */
export const RESPONSE_CLASSES = ["2xx", "3xx", "4xx", "5xx", "none"] as const;
export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

/** EndpointDisabled: the attempt was not made any more. */
export const FAILURE_KINDS = [...ATTEMPT_ERROR_KINDS, "EndpointDisabled"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A delivery as the dashboard sees it; times are ISO 8601. */
export type DeliveryView = {
  id: string;
  eventId: string;
  eventType: string;
  eventVersion: number;
  occurredAt: string;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  /** What the last attempt failed of; null when it succeeded, or there was none. */
  lastErrorKind: FailureKind | null;
  /** Null when the event is about no customer, and for a delivery of an earlier release. */
  customerId: string | null;
  isReplay: boolean;
  replaySeries: string | null;
  completedAt: string | null;
};

export type AttemptView = {
  attemptNo: number;
  sentAt: string;
  statusCode: number | null;
  responseExcerpt: string | null;
  durationMs: number;
  /** One that was not made any more is not counted. */
  errorKind: FailureKind | null;
};

export type DeliveryDetail = DeliveryView & {
  attempts: AttemptView[];
  /** The exact signed body; null once purged. */
  envelopeJson: string | null;
};

/** A page by cursor has no number and no total. */
export type HistoryPage = {
  items: DeliveryView[];
  page: number | null;
  pageSize: number;
  total: number | null;
  nextCursor: string | null;
};

/** The cursor is always there, to ask with later. */
export type EventPage = { items: Record<string, unknown>[]; nextCursor: string; hasMore: boolean };

type EventTypeView = { name: string; version: number; owner: string; description: string };

/** Events recorded without a live endpoint since a time. */
export type Skipped = { skipped: number; oldestOccurredAt: string | null };

/** How many deliveries a replay makes, and what they have as replaySeries; null when there are none. */
export type ReplayStarted = { created: number; replaySeries: string | null };

export const REPLAY_STATES = ["Running", "Finished", "Stopped"] as const;

/** A replay of a window; times are ISO 8601. */
export type ReplayView = {
  replaySeries: string;
  state: (typeof REPLAY_STATES)[number];
  from: string;
  to: string;
  /** Null for all. */
  eventType: string | null;
  status: DeliveryStatus | null;
  includeUnrouted: boolean;
  askedAt: string;
  finishedAt: string | null;
  /** How many deliveries were made until now, and how many there will be. */
  created: number;
  expected: number;
};

/** Deliveries by what became of them. */
export type DeliveryCounts = { pending: number; delivered: number; exhausted: number };
export type ReplayDetail = ReplayView & { deliveries: DeliveryCounts };

export const STATISTICS_INTERVALS = ["hour", "day"] as const;
export type StatisticsInterval = (typeof STATISTICS_INTERVALS)[number];

/** By when events occurred, in UTC; the last interval is the one that `to` lies in. */
export type Statistics = {
  interval: StatisticsInterval;
  from: string;
  to: string;
  items: (DeliveryCounts & { at: string })[];
};

/** What the workers know of an endpoint; times are ISO 8601. */
export type EndpointActivity = {
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  /** It answered Retry-After: no request before. */
  pausedUntil: string | null;
  /** Deliveries that are not finished; counted up to 10,000. */
  waiting: number;
};

/** A first attempt on its way to the process that looks after its endpoint, with all that sending it takes. */
export type HandedAttempt = {
  deliveryId: string;
  partnerId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  eventVersion: number;
  replaySeries: string | null;
  body: string | null;
  traceparent: string | null;
  /** When the change was made. Absent from the release before. */
  occurredAt?: string;
};

/** What waits for the process that is told to look: partitions given to it, its endpoints' deliveries, a replay. */
export type LookAt = "partitions" | "deliveries" | "replays";

export type DeliveryActions = CommonActions & {
  listDeliveries: Routed<HistoryPage>;
  getDelivery: Routed<DeliveryDetail>;
  listEvents: Routed<EventPage>;
  replayDelivery: Routed<{ deliveryId: string }>;
  replayWindow: Routed<ReplayStarted>;
  listReplays: Routed<{ items: ReplayView[] }>;
  getReplay: Routed<ReplayDetail>;
  stopReplay: Routed<ReplayDetail>;
  statistics: Routed<Statistics>;
  sendTest: Routed<{ eventId: string }>;
  eventTypes: Routed<readonly EventTypeView[]>;
  endpointActivity: Called<{ endpointId: string; partnerId: string }, EndpointActivity>;
  countSkipped: Called<{ partnerId: string; since: string }, Skipped>;
  /** Answers the ids of attempts that the process does not take; null when it takes all. */
  takeAttempts: Called<{ attempts: readonly HandedAttempt[] }, { refused: string[] } | null>;
  lookNow: Called<{ at: LookAt }, object>;
  sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
  auditEntries: Called<AuditQuery, { items: AuditEntry[] }>;
  auditLinks: Called<AuditLinksQuery, AuditLinks>;
};
