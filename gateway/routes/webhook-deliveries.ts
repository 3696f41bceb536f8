import {
  deliveryValue,
  eventTypesValue,
  historyQuery,
  historyValue,
  replayBody,
  replayDeliveryValue,
  replayWindowValue,
  sendTestValue,
} from "../../services/delivery/delivery.schemas.ts";
import { EVENT_TYPES } from "../../shared/events/events.ts";
import type { Route } from "../route.ts";
import { read, WEBHOOKS, write } from "./webhook-kinds.ts";

const dispatcher = { unavailableCode: "Webhook.DispatcherUnavailable" } as const;

const ID = "0199f2c4-7a10-7000-8000-000000000002";
const EVENT_ID = "0199f2c4-7a10-7000-8000-000000000001";
const TIME = "2026-01-02T03:04:05.678Z";
const deliveryExample = {
  id: ID,
  eventId: EVENT_ID,
  eventType: "business.profile.created",
  eventVersion: 1,
  occurredAt: TIME,
  status: "Delivered",
  attemptCount: 1,
  nextAttemptAt: null,
  lastStatusCode: 200,
  isReplay: false,
  replaySeries: null,
  completedAt: "2026-01-02T03:04:05.912Z",
};
const attemptExample = {
  attemptNo: 1,
  sentAt: "2026-01-02T03:04:05.701Z",
  statusCode: 200,
  responseExcerpt: "ok",
  durationMs: 87,
  errorKind: null,
};

export const webhookDeliveryRoutes: readonly Route[] = [
  {
    ...read,
    ...dispatcher,
    path: `${WEBHOOKS}/deliveries`,
    action: "delivery.listDeliveries",
    doc: {
      summary: "Delivery history",
      description:
        "Newest event first. from and to are when the event occurred; both ends belong to the range. A pageSize above " +
        "200 is taken as 200, an unknown eventType gives an empty page. Deliveries are shown for 90 days.",
      query: historyQuery,
      value: historyValue,
      valueExample: { items: [deliveryExample], page: 1, pageSize: 50, total: 1 },
      errors: ["Webhook.StatusUnknown", "Webhook.RangeInvalid", "ValidationControl.Error"],
    },
  },
  {
    ...read,
    ...dispatcher,
    path: `${WEBHOOKS}/deliveries/:deliveryId`,
    action: "delivery.getDelivery",
    doc: {
      summary: "One delivery with its attempts",
      description: "envelopeJson is the exact signed body; it is null once the event is older than 30 days.",
      value: deliveryValue,
      valueExample: {
        ...deliveryExample,
        attempts: [attemptExample],
        envelopeJson:
          '{"eventId":"0199f2c4-7a10-7000-8000-000000000001","eventType":"business.profile.created",…}',
      },
      errors: ["Webhook.DeliveryNotFound"],
    },
  },
  {
    ...write,
    ...dispatcher,
    path: `${WEBHOOKS}/deliveries/:deliveryId/replay`,
    action: "delivery.replayDelivery",
    doc: {
      summary: "Send one delivery again",
      description:
        "A new delivery of the same event, with the same bytes, the full schedule and Svc-Replay: true.",
      value: replayDeliveryValue,
      valueExample: { deliveryId: "0199f2c5-1b20-7000-8000-000000000003" },
      errors: [
        "Webhook.DeliveryNotFound",
        "Webhook.EndpointNotFound",
        "Webhook.EndpointDisabled",
        "Webhook.EventExpired",
      ],
    },
  },
  {
    ...write,
    ...dispatcher,
    path: `${WEBHOOKS}/replay`,
    action: "delivery.replayWindow",
    body: "json",
    doc: {
      summary: "Send the events of a time window again",
      description:
        "At most seven days, starting at most 30 days ago. Replays the events that were sent when they occurred; status " +
        "limits it to those whose last delivery has that status, includeUnrouted adds those that were never sent. The " +
        "answer says how many deliveries will be made; they are made in the background and survive a restart.",
      body: replayBody,
      bodyExample: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", includeUnrouted: true },
      value: replayWindowValue,
      valueExample: { created: 42 },
      errors: [
        "Webhook.RangeInvalid",
        "Webhook.RangeTooWide",
        "Webhook.EventExpired",
        "Webhook.StatusUnknown",
        "Webhook.EndpointNotFound",
        "Webhook.EndpointDisabled",
        "ValidationControl.Error",
      ],
    },
  },
  {
    ...write,
    ...dispatcher,
    path: `${WEBHOOKS}/test`,
    action: "delivery.sendTest",
    doc: {
      summary: "Send a test event now",
      description: "A webhook.test event takes the same way as every other and appears in the history.",
      value: sendTestValue,
      valueExample: { eventId: EVENT_ID },
      errors: ["Webhook.EndpointNotFound", "Webhook.EndpointDisabled", "Webhook.TestFireRejected"],
    },
  },
  {
    ...read,
    ...dispatcher,
    path: `${WEBHOOKS}/event-types`,
    action: "delivery.eventTypes",
    openToInactivePartner: true,
    doc: {
      summary: "The event catalogue",
      description: "Readable although the partner is inactive or not yet approved.",
      value: eventTypesValue,
      valueExample: EVENT_TYPES.slice(0, 2),
    },
  },
];
