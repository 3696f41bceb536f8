import type { Role } from "../../shared/caller.ts";
import type { Route } from "../route.ts";

const base = "/api/customer/v1/partner-profile/webhooks";
const ANYONE: readonly Role[] = ["Owner", "Developer", "Viewer"];
const CHANGERS: readonly Role[] = ["Owner", "Developer"];

const common = { auth: "user", envelope: "dashboard", built: false, tag: "Webhooks" } as const;
const read = { ...common, method: "GET", roles: ANYONE, limit: "read", body: "none" } as const;
const write = { ...common, method: "POST", roles: CHANGERS, limit: "write", body: "none" } as const;
const dispatcher = { unavailableCode: "Webhook.DispatcherUnavailable" } as const;

export const webhookRoutes: readonly Route[] = [
  { ...read, path: base, action: "webhook-registry.get", doc: { summary: "The webhook endpoint" } },
  {
    ...write,
    path: base,
    action: "webhook-registry.register",
    body: "json",
    doc: { summary: "Register the webhook, or replace its URL" },
  },
  {
    ...write,
    method: "PUT",
    path: base,
    action: "webhook-registry.replace",
    body: "json",
    doc: { summary: "Replace the URL and keep the secret" },
  },
  {
    ...write,
    path: `${base}/rotate-secret`,
    action: "webhook-registry.rotateSecret",
    doc: { summary: "Issue a new signing secret" },
  },
  {
    ...write,
    path: `${base}/enable`,
    action: "webhook-registry.enable",
    doc: { summary: "Enable a disabled endpoint" },
  },
  {
    ...read,
    ...dispatcher,
    path: `${base}/deliveries`,
    action: "delivery.listDeliveries",
    doc: { summary: "Delivery history" },
  },
  {
    ...read,
    ...dispatcher,
    path: `${base}/deliveries/:deliveryId`,
    action: "delivery.getDelivery",
    doc: { summary: "One delivery with its attempts" },
  },
  {
    ...write,
    ...dispatcher,
    path: `${base}/deliveries/:deliveryId/replay`,
    action: "delivery.replayDelivery",
    doc: { summary: "Send one delivery again" },
  },
  {
    ...write,
    ...dispatcher,
    path: `${base}/replay`,
    action: "delivery.replayWindow",
    body: "json",
    doc: { summary: "Send the events of a time window again" },
  },
  {
    ...write,
    ...dispatcher,
    path: `${base}/test`,
    action: "delivery.sendTest",
    doc: { summary: "Send a test event now" },
  },
  {
    ...read,
    path: `${base}/event-types`,
    action: "delivery.eventTypes",
    openToInactivePartner: true,
    doc: { summary: "The event catalogue" },
  },
];
