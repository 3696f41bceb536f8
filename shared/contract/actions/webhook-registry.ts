/** Requests and answers of the webhook-registry service. */
import type { FieldPlace } from "../../sealing/field-cipher.ts";
import type {
  enableValue,
  endpointValue,
  registerValue,
  replaceUrlValue,
  rotateValue,
} from "../answers/endpoint.ts";
import type { EndpointStatus } from "../vocabularies.ts";
import type { Called, CommonActions, Routed } from "./action.ts";
import type { TrailActions } from "./audit.ts";
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

export type WebhookRegistryActions = CommonActions &
  TrailActions & {
    get: Routed<typeof endpointValue>;
    register: Routed<typeof registerValue>;
    replace: Routed<typeof replaceUrlValue>;
    rotateSecret: Routed<typeof rotateValue>;
    enable: Routed<typeof enableValue>;
    disable: Routed<typeof endpointValue>;
    endpointForDelivery: Called<{ partnerId: string }, DeliveryEndpoint | null>;
    sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
    reportHealth: Called<HealthReport, HealthAnswer>;
    setPartnerStanding: Called<PartnerStanding, null>;
  };
