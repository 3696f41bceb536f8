/** Requests and answers of the webhook-registry service. */
import type { FieldPlace } from "../field-cipher.ts";
import type { Called, CommonActions, Routed } from "./action.ts";

export const ENDPOINT_STATUSES = ["Active", "Degraded", "Disabled"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** What the delivery service needs to send; secrets stay sealed on the way. */
export type DeliveryEndpoint = {
  endpointId: string;
  partnerId: string;
  url: string;
  status: EndpointStatus;
  consecutiveFailures: number;
  disabledAt: string | null;
  /** Newest first; one with an end is the previous one of a rotation. */
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

export type WebhookRegistryActions = CommonActions & {
  get: Routed<unknown>;
  register: Routed<unknown>;
  replace: Routed<unknown>;
  rotateSecret: Routed<unknown>;
  enable: Routed<unknown>;
  endpointForDelivery: Called<{ partnerId: string }, DeliveryEndpoint | null>;
  reportHealth: Called<HealthReport, HealthAnswer>;
};
