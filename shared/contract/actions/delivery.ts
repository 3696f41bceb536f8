/** Requests and answers of the delivery service. */

import type { HttpParams } from "../../moleculer/http-params.ts";
import type {
  deliveryValue,
  EventPage,
  eventTypesValue,
  historyValue,
  replayDeliveryValue,
  replayListValue,
  replayValue,
  replayWindowValue,
  sendTestValue,
  statisticsValue,
} from "../answers/delivery.ts";
import type { EndpointActivity } from "../answers/endpoint.ts";
import type { Called, CommonActions, Routed } from "./action.ts";
import type { TrailActions } from "./audit.ts";
import type { KeySweep, KeySweepRequest } from "./field-keys.ts";

/** Events recorded without a live endpoint since a time. */
export type Skipped = { skipped: number; oldestOccurredAt: string | null };

/** A first attempt for the process that owns its endpoint, with everything that sending it takes. */
export type HandedAttempt = {
  deliveryId: string;
  partnerId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  eventVersion: number;
  replaySeries: string | null;
  body: string;
  traceparent: string | null;
  /** The time of the change. */
  occurredAt: string;
};

/** Work that another process reports as due: newly assigned partitions, deliveries of its endpoints, a replay. */
export type LookAt = "partitions" | "deliveries" | "replays";

export type DeliveryActions = CommonActions &
  TrailActions & {
    listDeliveries: Routed<typeof historyValue>;
    getDelivery: Routed<typeof deliveryValue>;
    listEvents: Called<HttpParams, EventPage>;
    replayDelivery: Routed<typeof replayDeliveryValue>;
    replayWindow: Routed<typeof replayWindowValue>;
    listReplays: Routed<typeof replayListValue>;
    getReplay: Routed<typeof replayValue>;
    stopReplay: Routed<typeof replayValue>;
    statistics: Routed<typeof statisticsValue>;
    sendTest: Routed<typeof sendTestValue>;
    eventTypes: Routed<typeof eventTypesValue>;
    endpointActivity: Called<{ endpointId: string; partnerId: string }, EndpointActivity>;
    countSkipped: Called<{ partnerId: string; since: string }, Skipped>;
    /** Answers the ids of the refused attempts. */
    takeAttempts: Called<{ attempts: readonly HandedAttempt[] }, { refused: string[] }>;
    lookNow: Called<{ at: LookAt }, object>;
    sweepFieldKeys: Called<KeySweepRequest, KeySweep>;
  };
