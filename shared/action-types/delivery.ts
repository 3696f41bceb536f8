/** Requests and answers of the delivery service. */
import type { Called, CommonActions, Routed } from "./action.ts";
import type { AuditEntry, AuditQuery } from "./audit.ts";

export const DELIVERY_STATUSES = ["Pending", "Delivered", "Exhausted"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ATTEMPT_ERROR_KINDS = [
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
  /** EndpointDisabled: the attempt was not made any more, and is not counted. */
  errorKind: AttemptErrorKind | "EndpointDisabled" | null;
};

export type DeliveryDetail = DeliveryView & {
  attempts: AttemptView[];
  /** The exact signed body; null once purged. */
  envelopeJson: string | null;
};

export type HistoryPage = { items: DeliveryView[]; page: number; pageSize: number; total: number };

/** The cursor is always there, to ask with later. */
export type EventPage = { items: Record<string, unknown>[]; nextCursor: string; hasMore: boolean };

type EventTypeView = { name: string; version: number; owner: string; description: string };

/** Events recorded without a live endpoint since a time. */
export type Skipped = { skipped: number; oldestOccurredAt: string | null };

/** How many deliveries a replay makes, and what they have as replaySeries; null when there are none. */
export type ReplayStarted = { created: number; replaySeries: string | null };

/** What the workers know of an endpoint; times are ISO 8601. */
export type EndpointActivity = {
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  /** It answered Retry-After: no request before. */
  pausedUntil: string | null;
  /** Deliveries that are not finished; counted up to 10,000. */
  waiting: number;
};

export type DeliveryActions = CommonActions & {
  listDeliveries: Routed<HistoryPage>;
  getDelivery: Routed<DeliveryDetail>;
  listEvents: Routed<EventPage>;
  replayDelivery: Routed<{ deliveryId: string }>;
  replayWindow: Routed<ReplayStarted>;
  sendTest: Routed<{ eventId: string }>;
  eventTypes: Routed<readonly EventTypeView[]>;
  endpointActivity: Called<{ endpointId: string }, EndpointActivity>;
  countSkipped: Called<{ partnerId: string; since: string }, Skipped>;
  auditEntries: Called<AuditQuery, { items: AuditEntry[] }>;
};
