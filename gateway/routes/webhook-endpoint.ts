import {
  enableValue,
  endpointBody,
  endpointValue,
  registerValue,
  replaceUrlValue,
  rotateValue,
} from "../../services/webhook-registry/endpoint.schemas.ts";
import type { Route } from "../route.ts";
import { read, WEBHOOKS, write } from "./webhook-kinds.ts";

const urlErrors = ["Webhook.UrlNotHttps", "Webhook.UrlNotPublic", "Webhook.UrlUnresolvable"] as const;
const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const URL_EXAMPLE = "https://hooks.example.com/onboarding";

export const webhookEndpointRoutes: readonly Route[] = [
  {
    ...read,
    path: WEBHOOKS,
    action: "webhook-registry.get",
    doc: {
      summary: "The webhook endpoint",
      description: "Where events go and how healthy the address is. Secrets are never part of it.",
      value: endpointValue,
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
    path: WEBHOOKS,
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
      value: registerValue,
      valueExample: { url: URL_EXAMPLE, webhookSecret: SECRET, message: "The webhook is registered. …" },
      errors: urlErrors,
    },
  },
  {
    ...write,
    method: "PUT",
    path: WEBHOOKS,
    action: "webhook-registry.replace",
    body: "json",
    doc: {
      summary: "Replace the URL and keep the secret",
      description: "A partner without a webhook is registered and gets a secret.",
      body: endpointBody,
      bodyExample: { url: URL_EXAMPLE },
      value: replaceUrlValue,
      valueExample: {
        webhookSecret: null,
        message: "The webhook URL is replaced. The secret stays in force.",
      },
      errors: urlErrors,
    },
  },
  {
    ...write,
    path: `${WEBHOOKS}/rotate-secret`,
    action: "webhook-registry.rotateSecret",
    doc: {
      summary: "Issue a new signing secret",
      description:
        "For 24 hours deliveries carry two signatures, the new one first. Rotating again in that time drops the oldest.",
      value: rotateValue,
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
    path: `${WEBHOOKS}/enable`,
    action: "webhook-registry.enable",
    doc: {
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
  },
];
