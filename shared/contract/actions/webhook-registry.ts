/** Requests and answers of the webhook-registry service. */
import type { FieldPlace } from "../../sealing/field-cipher.ts";
import {
  enableValue,
  endpointValue,
  registerValue,
  replaceUrlValue,
  rotateValue,
} from "../answers/endpoint.ts";
import type { EndpointStatus } from "../vocabularies.ts";
import { CHANGE, calledBy, commonActions, routed, SEE } from "./action.ts";
import { trailActions } from "./audit.ts";
import type { PartnerStanding } from "./auth-token.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

/** An endpoint as the delivery service needs it to send; secrets stay sealed on the way. */
export type DeliveryEndpoint = {
  endpointId: string;
  partnerId: string;
  url: string;
  status: EndpointStatus;
  consecutiveFailures: number;
  disabledAt: string | null;
  /** Unless it is Disabled now, it was live from then on. */
  liveSince: string;
  /** Newest first; a secret with an end was replaced by a rotation. */
  secrets: readonly { sealed: string; place: FieldPlace; notAfter: string | null }[];
};

export type ReportedOutcome = {
  /** ISO time at which the attempt ended; it identifies an outcome of the endpoint. */
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

const byAdmin = calledBy("admin");
const byDelivery = calledBy("delivery");
const byAuthToken = calledBy("auth-token");

export const webhookRegistryActions = {
  ...commonActions,
  ...trailActions,
  get: routed(SEE, endpointValue),
  register: routed(CHANGE, registerValue),
  replace: routed(CHANGE, replaceUrlValue),
  rotateSecret: routed(CHANGE, rotateValue),
  enable: routed(CHANGE, enableValue),
  disable: routed(CHANGE, endpointValue),
  endpointForDelivery: byDelivery<{ partnerId: string }, DeliveryEndpoint | null>(),
  sweepFieldKeys: byAdmin<KeySweepRequest, KeySweep>(),
  reportHealth: byDelivery<HealthReport, HealthAnswer>(),
  setPartnerStanding: byAuthToken<PartnerStanding, null>(),
};
