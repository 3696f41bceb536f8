import { historyQuery, replayBody } from "../../services/delivery/delivery.schemas.ts";
import type { Role } from "../../shared/caller.ts";
import { EVENT_TYPES } from "../../shared/events.ts";
import type { Route } from "../route.ts";

const base = "/api/customer/v1/partner-profile/webhooks";
const ANYONE: readonly Role[] = ["Owner", "Developer", "Viewer"];
const CHANGERS: readonly Role[] = ["Owner", "Developer"];

const common = { auth: "user", envelope: "dashboard", tag: "Webhooks" } as const;
const read = { ...common, method: "GET", roles: ANYONE, limit: "read", body: "none" } as const;
const write = { ...common, method: "POST", roles: CHANGERS, limit: "write", body: "none" } as const;
const dispatcher = { unavailableCode: "Webhook.DispatcherUnavailable" } as const;

const uuid = { type: "string", format: "uuid" };
const uuidOrNull = { type: ["string", "null"], format: "uuid" };
const time = { type: "string", format: "date-time" };
const timeOrNull = { type: ["string", "null"], format: "date-time" };
const integerOrNull = { type: ["integer", "null"] };

const delivery = {
  id: uuid,
  eventId: { ...uuid, description: "Stable across retries and replays; use it to drop duplicates." },
  eventType: { type: "string" },
  eventVersion: { type: "integer" },
  occurredAt: time,
  status: { enum: ["Pending", "Delivered", "Exhausted"] },
  attemptCount: { type: "integer", minimum: 0, maximum: 8 },
  nextAttemptAt: timeOrNull,
  lastStatusCode: integerOrNull,
  isReplay: { type: "boolean" },
  replaySeries: { ...uuidOrNull, description: "The replay it belongs to." },
  completedAt: timeOrNull,
};

const attempt = {
  attemptNo: { type: "integer", minimum: 1 },
  sentAt: time,
  statusCode: integerOrNull,
  responseExcerpt: { type: ["string", "null"], description: "The first 4 KiB of the receiver's answer." },
  durationMs: { type: "integer", minimum: 0 },
  errorKind: {
    enum: [
      "Timeout",
      "Dns",
      "Connect",
      "Tls",
      "HttpStatus",
      "Redirect",
      "UrlNotPublic",
      "EndpointDisabled",
      null,
    ],
    description:
      "EndpointDisabled stands for an attempt that was not made any more; it is not counted in attemptCount.",
  },
};

const object = (properties: Record<string, unknown>) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const list = (items: unknown) => ({ type: "array", items });

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
    path: `${base}/deliveries`,
    action: "delivery.listDeliveries",
    doc: {
      summary: "Delivery history",
      description:
        "Newest event first. from and to are when the event occurred; both ends belong to the range. A pageSize above " +
        "200 is taken as 200, an unknown eventType gives an empty page. Deliveries are shown for 90 days.",
      query: historyQuery,
      value: object({
        items: list(object(delivery)),
        page: { type: "integer", minimum: 1 },
        pageSize: { type: "integer", minimum: 1, maximum: 200 },
        total: { type: "integer", minimum: 0 },
      }),
      valueExample: { items: [deliveryExample], page: 1, pageSize: 50, total: 1 },
      errors: ["Webhook.StatusUnknown", "Webhook.RangeInvalid", "ValidationControl.Error"],
    },
  },
  {
    ...read,
    ...dispatcher,
    path: `${base}/deliveries/:deliveryId`,
    action: "delivery.getDelivery",
    doc: {
      summary: "One delivery with its attempts",
      description: "envelopeJson is the exact signed body; it is null once the event is older than 30 days.",
      value: object({
        ...delivery,
        attempts: list(object(attempt)),
        envelopeJson: { type: ["string", "null"] },
      }),
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
    path: `${base}/deliveries/:deliveryId/replay`,
    action: "delivery.replayDelivery",
    doc: {
      summary: "Send one delivery again",
      description:
        "A new delivery of the same event, with the same bytes, the full schedule and Svc-Replay: true.",
      value: object({ deliveryId: uuid }),
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
    path: `${base}/replay`,
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
      value: object({ created: { type: "integer", minimum: 0 } }),
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
    path: `${base}/test`,
    action: "delivery.sendTest",
    doc: {
      summary: "Send a test event now",
      description: "A webhook.test event takes the same way as every other and appears in the history.",
      value: object({ eventId: uuid }),
      valueExample: { eventId: EVENT_ID },
      errors: ["Webhook.EndpointNotFound", "Webhook.EndpointDisabled", "Webhook.TestFireRejected"],
    },
  },
  {
    ...read,
    path: `${base}/event-types`,
    action: "delivery.eventTypes",
    openToInactivePartner: true,
    doc: {
      summary: "The event catalogue",
      description: "Readable although the partner is inactive or not yet approved.",
      value: list(
        object({
          name: { type: "string" },
          version: { type: "integer" },
          owner: { type: "string" },
          description: { type: "string" },
        }),
      ),
      valueExample: EVENT_TYPES.slice(0, 2),
    },
  },
];
