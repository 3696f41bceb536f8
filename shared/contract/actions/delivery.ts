/** Requests and answers of the delivery service. */
import { anyObject } from "../answer-schema.ts";
import {
  deliveryValue,
  eventFeedValue,
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
import { CHANGE, calledBy, commonActions, READ, routed, SEE } from "./action.ts";
import { trailActions } from "./audit.ts";
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

const byAdmin = calledBy("admin");
const byDelivery = calledBy("delivery");
const byWebhookRegistry = calledBy("webhook-registry");

export const deliveryActions = {
  ...commonActions,
  ...trailActions,
  listDeliveries: routed(SEE, historyValue),
  getDelivery: routed(SEE, deliveryValue),
  /** The API document names the types of the events. */
  listEvents: routed(READ, eventFeedValue(anyObject)),
  replayDelivery: routed(CHANGE, replayDeliveryValue),
  replayWindow: routed(CHANGE, replayWindowValue),
  listReplays: routed(SEE, replayListValue),
  getReplay: routed(SEE, replayValue),
  stopReplay: routed(CHANGE, replayValue),
  statistics: routed(SEE, statisticsValue),
  sendTest: routed(CHANGE, sendTestValue),
  eventTypes: routed(SEE, eventTypesValue),
  endpointActivity: byWebhookRegistry<{ endpointId: string; partnerId: string }, EndpointActivity>(),
  countSkipped: byWebhookRegistry<{ partnerId: string; since: string }, Skipped>(),
  /** Answers the ids of the refused attempts. */
  takeAttempts: byDelivery<{ attempts: readonly HandedAttempt[] }, { refused: string[] }>(),
  lookNow: byDelivery<{ at: LookAt }, object>(),
  sweepFieldKeys: byAdmin<KeySweepRequest, KeySweep>(),
};
