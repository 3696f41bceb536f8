/** Documentation of the webhook endpoint, its deliveries and the event catalogue. */

import { historyQuery, replayBody, statisticsQuery } from "../../../services/delivery/delivery.schemas.ts";
import {
  deliveryValue,
  eventTypesValue,
  historyValue,
  replayDeliveryValue,
  replayListValue,
  replayValue,
  replayWindowValue,
  sendTestValue,
  statisticsValue,
} from "../../../shared/contract/answers/delivery.ts";
import {
  enableValue,
  endpointValue,
  registerValue,
  replaceUrlValue,
  rotateValue,
} from "../../../shared/contract/answers/endpoint.ts";
import { EVENT_DAYS, HISTORY_DAYS, SECRET_OVERLAP_HOURS } from "../../../shared/contract/durations.ts";
import { EVENT_TYPES } from "../../../shared/contract/events.ts";
import type { DocsOf } from "../route-doc.ts";

const urlErrors = ["Webhook.UrlNotHttps", "Webhook.UrlNotPublic", "Webhook.UrlUnresolvable"] as const;
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const URL_EXAMPLE = "https://hooks.example.com/onboarding";

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
  lastErrorKind: null,
  customerId: "0190a5d3-1f0a-7c2b-8e4d-6a5b4c3d2e1f",
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

const endpointExample = {
  url: URL_EXAMPLE,
  status: "Degraded",
  consecutiveFailures: 6,
  degradedSince: TIME,
  disabledAt: null,
  disabledReason: null,
  secrets: [{ secretId: "5d0c8f1e-2b3a-4c4d-8e5f-6a7b8c9d0e1f", createdAt: TIME, notAfter: null }],
  activity: {
    lastSuccessAt: "2026-01-02T02:58:11.020Z",
    lastFailureAt: TIME,
    pausedUntil: null,
    waiting: 14,
  },
};

const replayExample = {
  replaySeries: "0199f2c5-1b20-7000-8000-000000000004",
  state: "Running",
  from: "2026-01-01T00:00:00.000Z",
  to: "2026-01-02T00:00:00.000Z",
  eventType: null,
  status: "Exhausted",
  includeUnrouted: true,
  askedAt: "2026-01-02T10:00:00.000Z",
  finishedAt: null,
  created: 500,
  expected: 1_200,
};
const replayDetailExample = { ...replayExample, deliveries: { pending: 20, delivered: 478, exhausted: 2 } };

export const webhookDocs: DocsOf<"Webhooks"> = {
  "webhook-registry.get": {
    summary: "The webhook endpoint",
    description: "Where events go and how healthy the address is. Secrets are never part of it.",
    value: endpointValue,
    valueExample: endpointExample,
  },
  "webhook-registry.register": {
    summary: "Register the webhook, or replace its URL",
    description:
      "The first call issues the signing secret and shows it this once; a supplied secret is ignored. Calling again " +
      "replaces the URL, keeps the secret and enables a disabled endpoint. The URL must be https, hold no user " +
      "info, have the port 443 or one from 1024 on, and resolve to public addresses only.",
    body: { url: { type: "string", max: 2_048 } },
    bodyExample: { url: URL_EXAMPLE },
    value: registerValue,
    valueExample: { url: URL_EXAMPLE, webhookSecret: SECRET, message: "The webhook is registered. …" },
    errors: urlErrors,
  },
  "webhook-registry.replace": {
    summary: "Replace the URL and keep the secret",
    description: "A partner without a webhook is registered and gets a secret.",
    body: { url: { type: "string", max: 2_048 } },
    bodyExample: { url: URL_EXAMPLE },
    value: replaceUrlValue,
    valueExample: {
      webhookSecret: null,
      message: "The webhook URL is replaced. The secret stays in force.",
    },
    errors: urlErrors,
  },
  "webhook-registry.rotateSecret": {
    summary: "Issue a new signing secret",
    description:
      `A replaced secret stays in force for ${SECRET_OVERLAP_HOURS} hours: deliveries carry a signature for each secret in force, newest first. ` +
      "At most five are in force at a time.",
    value: rotateValue,
    valueExample: {
      webhookSecret: SECRET,
      previousSecretExpiresAt: "2026-01-03T03:04:05.678Z",
      message: "Keep the new secret now: it is shown only this once. …",
    },
    errors: ["Webhook.EndpointNotFound", "Webhook.TooManySecrets"],
  },
  "webhook-registry.enable": {
    summary: "Enable a disabled endpoint",
    description:
      "Checks the URL again and begins the failure counts anew. Says how many events were recorded but not sent while " +
      "the endpoint was disabled, and the window to replay, with includeUnrouted, to get them; of an outage longer " +
      "than seven days it is the oldest seven.",
    value: enableValue,
    valueExample: {
      status: "Active",
      skipped: 12,
      suggestedReplay: { from: "2026-01-02T03:04:05.678Z", to: "2026-01-03T00:00:00.000Z" },
    },
    errors: ["Webhook.EndpointNotFound", ...urlErrors, "Webhook.DispatcherUnavailable"],
  },
  "webhook-registry.disable": {
    summary: "Disable the endpoint",
    description:
      "Nothing is sent until a person enables it again or registers a URL: events are recorded unrouted, and deliveries " +
      "that wait become Exhausted with EndpointDisabled. One that is disabled already stays as it is.",
    value: endpointValue,
    valueExample: {
      ...endpointExample,
      status: "Disabled",
      disabledAt: TIME,
      disabledReason: "Person",
      activity: { ...endpointExample.activity, waiting: 0 },
    },
    errors: ["Webhook.EndpointNotFound"],
  },
  "delivery.listDeliveries": {
    summary: "Delivery history",
    description:
      "Newest event first. from and to are when the event occurred; both ends belong to the range. A pageSize above " +
      `200 is taken as 200, an unknown eventType gives an empty page. Deliveries of events of the last ${HISTORY_DAYS} days are shown; ` +
      `eventId finds those of an event for as long as the event is kept, ${EVENT_DAYS} days. With a cursor every page costs the same.`,
    query: historyQuery,
    value: historyValue,
    valueExample: { items: [deliveryExample], page: 1, pageSize: 50, total: 1, nextCursor: null },
    errors: ["Webhook.StatusUnknown", "Webhook.RangeInvalid", "ValidationControl.Error"],
  },
  "delivery.getDelivery": {
    summary: "One delivery with its attempts",
    description: `envelopeJson is the exact signed body; it is null once the event is older than ${EVENT_DAYS} days.`,
    value: deliveryValue,
    valueExample: {
      ...deliveryExample,
      attempts: [attemptExample],
      envelopeJson:
        '{"eventId":"0199f2c4-7a10-7000-8000-000000000001","eventType":"business.profile.created",…}',
    },
    errors: ["Webhook.DeliveryNotFound"],
  },
  "delivery.replayDelivery": {
    summary: "Send one delivery again",
    description:
      "A new delivery of the same event, with the same bytes, the full schedule and Svc-Replay: true. After " +
      "Service.OutcomeUnknown the history shows whether it was made; it is not made later.",
    value: replayDeliveryValue,
    valueExample: { deliveryId: "0199f2c5-1b20-7000-8000-000000000003" },
    errors: [
      "Webhook.DeliveryNotFound",
      "Webhook.EndpointNotFound",
      "Webhook.EndpointDisabled",
      "Webhook.EventExpired",
      "Webhook.TooManyReplays",
    ],
  },
  "delivery.replayWindow": {
    summary: "Send the events of a time window again",
    description:
      `At most seven days, starting at most ${EVENT_DAYS} days ago. Replays the events that were sent when they occurred; status ` +
      "limits it to those whose last delivery has that status, includeUnrouted adds those that were never sent. The " +
      "answer says how many deliveries will be made; they are made in the background and survive a restart. A partner " +
      "has one unfinished replay at a time: another window meanwhile is refused with Webhook.ReplayUnderway, which " +
      "names it. The very same request while it is unfinished, or within ten minutes, answers as before and sends " +
      "nothing twice. With dryRun the answer is the number, and nothing is sent.",
    body: replayBody,
    bodyExample: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", includeUnrouted: true },
    value: replayWindowValue,
    valueExample: { created: 42, replaySeries: "0199f2c5-1b20-7000-8000-000000000004" },
    errors: [
      "Webhook.RangeInvalid",
      "Webhook.RangeTooWide",
      "Webhook.EventExpired",
      "Webhook.StatusUnknown",
      "Webhook.EndpointNotFound",
      "Webhook.EndpointDisabled",
      "Webhook.ReplayUnderway",
      "ValidationControl.Error",
    ],
  },
  "delivery.listReplays": {
    summary: "Replays of windows",
    description: `The newest 50 of the last ${HISTORY_DAYS} days, newest first.`,
    value: replayListValue,
    valueExample: { items: [replayExample] },
  },
  "delivery.getReplay": {
    summary: "How far a replay has come",
    value: replayValue,
    valueExample: replayDetailExample,
    errors: ["Webhook.ReplayNotFound"],
  },
  "delivery.stopReplay": {
    summary: "Stop a replay",
    description:
      "No further deliveries are made; those made until now are still sent. One that is finished stays as it is.",
    value: replayValue,
    valueExample: { ...replayDetailExample, state: "Stopped", finishedAt: "2026-01-02T10:05:00.000Z" },
    errors: ["Webhook.ReplayNotFound"],
  },
  "delivery.statistics": {
    summary: "Deliveries by hour or day",
    description: `At most seven days by hour and ${HISTORY_DAYS} days by day, replays included.`,
    query: statisticsQuery,
    value: statisticsValue,
    valueExample: {
      interval: "hour",
      from: "2026-01-02T03:00:00.000Z",
      to: "2026-01-02T03:59:59.999Z",
      items: [{ at: "2026-01-02T03:00:00.000Z", pending: 1, delivered: 41, exhausted: 0 }],
    },
    errors: ["Webhook.RangeInvalid", "Webhook.RangeTooWide", "ValidationControl.Error"],
  },
  "delivery.sendTest": {
    summary: "Send a test event now",
    description: "A webhook.test event takes the same way as every other and appears in the history.",
    value: sendTestValue,
    valueExample: { eventId: EVENT_ID },
    errors: ["Webhook.EndpointNotFound", "Webhook.EndpointDisabled", "Webhook.TestFireRejected"],
  },
  "delivery.eventTypes": {
    summary: "The event catalogue",
    description: "Readable although the partner is inactive or not yet approved.",
    value: eventTypesValue,
    valueExample: EVENT_TYPES.slice(0, 2),
  },
};
