/** Documentation of the webhook endpoint, its deliveries and the event catalogue. */

import { historyQuery, replayBody, statisticsQuery } from "../../../services/delivery/delivery.schemas.ts";
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
    summary: "Read the webhook endpoint",
    description: "The URL, its status and its health, without secrets.",
    valueExample: endpointExample,
  },
  "webhook-registry.register": {
    summary: "Register the webhook, or replace its URL",
    description:
      "The first call creates the signing secret and shows it only then; a supplied secret is ignored. Calling again " +
      "replaces the URL, keeps the secret and enables a disabled endpoint. The URL must be https without user info, " +
      "use port 443 or a port from 1024 on, and resolve to public addresses only.",
    body: { url: { type: "string", max: 2_048 } },
    bodyExample: { url: URL_EXAMPLE },
    valueExample: { url: URL_EXAMPLE, webhookSecret: SECRET, message: "The webhook is registered. …" },
    errors: urlErrors,
  },
  "webhook-registry.replace": {
    summary: "Replace the URL and keep the secret",
    description: "Without a registered webhook, this call registers it and returns a secret.",
    body: { url: { type: "string", max: 2_048 } },
    bodyExample: { url: URL_EXAMPLE },
    valueExample: {
      webhookSecret: null,
      message: "The webhook URL is replaced. The secret stays in force.",
    },
    errors: urlErrors,
  },
  "webhook-registry.rotateSecret": {
    summary: "Issue a new signing secret",
    description:
      `A replaced secret stays in force for ${SECRET_OVERLAP_HOURS} hours. Each delivery has a signature for each secret in force, newest first. ` +
      "At most five secrets are in force.",
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
      "Checks the URL again and resets the failure counts. `skipped` is the number of events that were not sent while the " +
      "endpoint was disabled. Replay the window in `suggestedReplay`, with includeUnrouted, to get them. After more than " +
      "seven days it is the oldest seven.",
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
      "Nothing is sent until a person enables the endpoint or registers a URL. New events are recorded as unrouted. " +
      "Waiting deliveries become Exhausted with EndpointDisabled. A disabled endpoint stays unchanged.",
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
    summary: "List deliveries",
    description:
      "Newest event first. from and to limit the time of the event; both ends are included. A pageSize above 200 means " +
      `200. An unknown eventType gives an empty page. Deliveries of the last ${HISTORY_DAYS} days are shown. eventId finds the deliveries ` +
      `of an event for ${EVENT_DAYS} days. Use the cursor for long lists: every page takes the same time.`,
    query: historyQuery,
    valueExample: { items: [deliveryExample], page: 1, pageSize: 50, total: 1, nextCursor: null },
    errors: ["Webhook.StatusUnknown", "Webhook.RangeInvalid", "ValidationControl.Error"],
  },
  "delivery.getDelivery": {
    summary: "Read one delivery with its attempts",
    description: `envelopeJson is the exact signed body. It is null when the event is older than ${EVENT_DAYS} days.`,
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
      "Creates a new delivery of the same event with the same bytes, all eight attempts and Svc-Replay: true. After " +
      "Service.OutcomeUnknown, the history shows whether it was created. It is not created later.",
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
      `A window spans at most seven days and starts at most ${EVENT_DAYS} days ago. By default, it replays the events that were sent ` +
      "when they occurred. status selects events whose last delivery has that status; includeUnrouted adds events that were " +
      "never sent. The answer has the number of deliveries, which are created in the background. With dryRun, nothing is " +
      "sent. A partner has one unfinished replay at a time; another window gets Webhook.ReplayUnderway, which names the " +
      "replay. The same request again, until the replay is finished or within ten minutes, gets the same answer and sends " +
      "nothing twice.",
    body: replayBody,
    bodyExample: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", includeUnrouted: true },
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
    summary: "List replays of windows",
    description: `The newest 50 of the last ${HISTORY_DAYS} days, newest first.`,
    valueExample: { items: [replayExample] },
  },
  "delivery.getReplay": {
    summary: "Read the progress of a replay",
    valueExample: replayDetailExample,
    errors: ["Webhook.ReplayNotFound"],
  },
  "delivery.stopReplay": {
    summary: "Stop a replay",
    description:
      "No more deliveries are created; existing ones are still sent. A finished replay stays unchanged.",
    valueExample: { ...replayDetailExample, state: "Stopped", finishedAt: "2026-01-02T10:05:00.000Z" },
    errors: ["Webhook.ReplayNotFound"],
  },
  "delivery.statistics": {
    summary: "Count deliveries by hour or day",
    description: `At most seven days by hour, or ${HISTORY_DAYS} days by day. Replays are included.`,
    query: statisticsQuery,
    valueExample: {
      interval: "hour",
      from: "2026-01-02T03:00:00.000Z",
      to: "2026-01-02T03:59:59.999Z",
      items: [{ at: "2026-01-02T03:00:00.000Z", pending: 1, delivered: 41, exhausted: 0 }],
    },
    errors: ["Webhook.RangeInvalid", "Webhook.RangeTooWide", "ValidationControl.Error"],
  },
  "delivery.sendTest": {
    summary: "Send a test event",
    description:
      "A webhook.test event is delivered like every other event and appears in the history. After Service.OutcomeUnknown it appears within half a minute, or was not made.",
    valueExample: { eventId: EVENT_ID },
    errors: ["Webhook.EndpointNotFound", "Webhook.EndpointDisabled", "Webhook.TestFireRejected"],
  },
  "delivery.eventTypes": {
    summary: "List the event types",
    description: "Also for a partner that is inactive or not yet approved.",
    valueExample: EVENT_TYPES.slice(0, 2),
  },
};
