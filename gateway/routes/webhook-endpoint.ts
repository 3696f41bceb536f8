import { endpointBody } from "../../services/webhook-registry/endpoint.schemas.ts";
import type { Role } from "../../shared/caller.ts";
import type { Route } from "../route.ts";

const base = "/api/customer/v1/partner-profile/webhooks";
const ANYONE: readonly Role[] = ["Owner", "Developer", "Viewer"];
const CHANGERS: readonly Role[] = ["Owner", "Developer"];

const common = { auth: "user", envelope: "dashboard", tag: "Webhooks" } as const;
const read = { ...common, method: "GET", roles: ANYONE, limit: "read", body: "none" } as const;
const write = { ...common, method: "POST", roles: CHANGERS, limit: "write", body: "none" } as const;

const urlErrors = ["Webhook.UrlNotHttps", "Webhook.UrlNotPublic", "Webhook.UrlUnresolvable"] as const;
const time = { type: "string", format: "date-time" };
const timeOrNull = { type: ["string", "null"], format: "date-time" };
const secret = { type: "string", pattern: "^whsec_[A-Za-z0-9+/]{43}=$" };
const secretOrNull = {
  ...secret,
  type: ["string", "null"],
  description: "Shown only when it is issued; null when the secret in force is kept.",
};
const message = { type: "string", description: "For the person who reads the answer." };
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const URL_EXAMPLE = "https://hooks.example.com/onboarding";

export const webhookEndpointRoutes: readonly Route[] = [
  {
    ...read,
    path: base,
    action: "webhook-registry.get",
    doc: {
      summary: "The webhook endpoint",
      description: "Where events go and how healthy the address is. Secrets are never part of it.",
      value: {
        type: "object",
        required: ["url", "status", "consecutiveFailures", "degradedSince", "disabledAt", "disabledReason"],
        properties: {
          url: { type: ["string", "null"], format: "uri" },
          status: { enum: ["NotRegistered", "Active", "Degraded", "Disabled"] },
          consecutiveFailures: { type: "integer", minimum: 0 },
          degradedSince: timeOrNull,
          disabledAt: timeOrNull,
          disabledReason: { enum: ["ConsecutiveFailures", "EndpointGone", "UrlNotPublic", null] },
        },
      },
      valueExample: {
        url: URL_EXAMPLE,
        status: "Degraded",
        consecutiveFailures: 6,
        degradedSince: "2026-01-02T03:04:05.678Z",
        disabledAt: null,
        disabledReason: null,
      },
    },
  },
  {
    ...write,
    path: base,
    action: "webhook-registry.register",
    body: "json",
    doc: {
      summary: "Register the webhook, or replace its URL",
      description:
        "The first call issues the signing secret and shows it this once; a supplied secret is ignored. Calling again " +
        "replaces the URL, keeps the secret and enables a disabled endpoint. The URL must be https, hold no user " +
        "info, and resolve to public addresses only.",
      body: endpointBody,
      bodyExample: { url: URL_EXAMPLE },
      value: {
        type: "object",
        required: ["url", "webhookSecret", "message"],
        properties: { url: { type: "string", format: "uri" }, webhookSecret: secretOrNull, message },
      },
      valueExample: { url: URL_EXAMPLE, webhookSecret: SECRET, message: "The webhook is registered. …" },
      errors: urlErrors,
    },
  },
  {
    ...write,
    method: "PUT",
    path: base,
    action: "webhook-registry.replace",
    body: "json",
    doc: {
      summary: "Replace the URL and keep the secret",
      description: "A partner without a webhook is registered and gets a secret.",
      body: endpointBody,
      bodyExample: { url: URL_EXAMPLE },
      value: {
        type: "object",
        required: ["webhookSecret", "message"],
        properties: { webhookSecret: secretOrNull, message },
      },
      valueExample: {
        webhookSecret: null,
        message: "The webhook URL is replaced. The secret stays in force.",
      },
      errors: urlErrors,
    },
  },
  {
    ...write,
    path: `${base}/rotate-secret`,
    action: "webhook-registry.rotateSecret",
    doc: {
      summary: "Issue a new signing secret",
      description:
        "For 24 hours deliveries carry two signatures, the new one first. Rotating again in that time drops the oldest.",
      value: {
        type: "object",
        required: ["webhookSecret", "previousSecretExpiresAt", "message"],
        properties: { webhookSecret: secret, previousSecretExpiresAt: time, message },
      },
      valueExample: {
        webhookSecret: SECRET,
        previousSecretExpiresAt: "2026-01-03T03:04:05.678Z",
        message: "Keep the new secret now: it is shown only this once. …",
      },
      errors: ["Webhook.EndpointNotFound"],
    },
  },
  {
    ...write,
    path: `${base}/enable`,
    action: "webhook-registry.enable",
    doc: {
      summary: "Enable a disabled endpoint",
      description:
        "Checks the URL again and begins the failure counts anew. Says how many events were recorded but not sent while " +
        "the endpoint was disabled, and the window to replay, with includeUnrouted, to get them; of an outage longer " +
        "than seven days it is the oldest seven.",
      value: {
        type: "object",
        required: ["status", "skipped", "suggestedReplay"],
        properties: {
          status: { enum: ["Active"] },
          skipped: { type: "integer", minimum: 0 },
          suggestedReplay: {
            type: ["object", "null"],
            required: ["from", "to"],
            properties: { from: time, to: time },
          },
        },
      },
      valueExample: {
        status: "Active",
        skipped: 12,
        suggestedReplay: { from: "2026-01-02T03:04:05.678Z", to: "2026-01-03T00:00:00.000Z" },
      },
      errors: ["Webhook.EndpointNotFound", ...urlErrors, "Webhook.DispatcherUnavailable"],
    },
  },
];
