/** Requests and answers of the delivery service. */
import type { Called, CommonActions, Routed } from "./action.ts";

/** Events recorded without a live endpoint since a time. */
export type Skipped = { skipped: number; oldestOccurredAt: string | null };

export type DeliveryActions = CommonActions & {
  listDeliveries: Routed<unknown>;
  getDelivery: Routed<unknown>;
  replayDelivery: Routed<unknown>;
  replayWindow: Routed<unknown>;
  sendTest: Routed<{ eventId: string }>;
  eventTypes: Routed<unknown>;
  countSkipped: Called<{ partnerId: string; since: string }, Skipped>;
};
