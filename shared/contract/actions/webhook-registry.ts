/** Requests and answers of the webhook-registry service. */
import type { FieldPlace } from "../../sealing/field-cipher.ts";
import type { Called, CommonActions, Routed } from "./action.ts";
import type { AuditEntry, AuditLinks, AuditLinksQuery, AuditQuery } from "./audit.ts";
import type { PartnerStanding } from "./auth-token.ts";
import type { EndpointActivity } from "./delivery.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

export const ENDPOINT_STATUSES = ["Active", "Degraded", "Disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export const DISABLED_REASONS = ["ConsecutiveFailures", "EndpointGone", "UrlNotPublic", "Person"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What the delivery service needs to send; secrets stay sealed on the way. */
export type DeliveryEndpoint = {
  endpointId: string;
  partnerId: string;
  url: string;
  status: EndpointStatus;
  consecutiveFailures: number;
  disabledAt: string | null;
  /** Unless it is Disabled now, it was live from then on. Absent in the answer of an older version. */
  liveSince?: string;
  /** Newest first; one with an end was replaced by a rotation. */
  secrets: readonly { sealed: string; place: FieldPlace; notAfter: string | null }[];
};

export type ReportedOutcome = {
  /** ISO time at which the attempt ended; outcomes of one endpoint are told apart by it. */
  at: string;
  /** Where the attempt went; the endpoint may have another URL by now. */
  url: string;
  ok: boolean;
  statusCode: number | null;
  errorKind: string | null;
  /** This failure was the last attempt of its delivery. */
  exhausted: boolean;
};

/**
 * Report every failure; report a success only when the endpoint, as last known, is not Active with no failures: such a
 * success changes nothing. A report may be sent twice: outcomes not newer than the last counted one are not counted again.
 */
export type HealthReport = { endpointId: string; partnerId: string; outcomes: readonly ReportedOutcome[] };

export type HealthAnswer = {
  status: EndpointStatus;
  consecutiveFailures: number;
  /** A success of this report turned Degraded into Active; the same report sent again says so again. */
  healed: boolean;
  disabled: boolean;
};

/** An endpoint as the dashboard shows it. */
export type EndpointView = {
  url: string | null;
  status: EndpointStatus | "NotRegistered";
  consecutiveFailures: number;
  degradedSince: string | null;
  disabledAt: string | null;
  disabledReason: DisabledReason | null;
  /** In force, newest first; never their text. */
  secrets: readonly { secretId: string; createdAt: string; notAfter: string | null }[];
  /** Null without an endpoint, and while the delivery service does not answer. */
  activity: EndpointActivity | null;
};

/** The secret is null when the one in force is kept. */
export type Registration = { url: string; webhookSecret: string | null; message: string };
export type Rotation = { webhookSecret: string; previousSecretExpiresAt: string; message: string };
export type Enabling = {
  status: EndpointStatus;
  skipped: number;
  suggestedReplay: { from: string; to: string } | null;
};

export type WebhookRegistryActions = CommonActions & {
  get: Routed<EndpointView>;
  register: Routed<Registration>;
  replace: Routed<Omit<Registration, "url">>;
  rotateSecret: Routed<Rotation>;
  enable: Routed<Enabling>;
  disable: Routed<EndpointView>;
  endpointForDelivery: Called<{ partnerId: string }, DeliveryEndpoint | null>;
  sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
  reportHealth: Called<HealthReport, HealthAnswer>;
  setPartnerStanding: Called<PartnerStanding, null>;
  auditEntries: Called<AuditQuery, { items: AuditEntry[] }>;
  auditLinks: Called<AuditLinksQuery, AuditLinks>;
};
