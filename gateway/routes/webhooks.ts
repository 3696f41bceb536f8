import type { Role } from "../../shared/caller.ts";
import type { Route } from "../route.ts";
import { webhookEndpointRoutes } from "./webhook-endpoint.ts";

const base = "/api/customer/v1/partner-profile/webhooks";
const ANYONE: readonly Role[] = ["Owner", "Developer", "Viewer"];
const CHANGERS: readonly Role[] = ["Owner", "Developer"];

const common = { auth: "user", envelope: "dashboard", built: true, tag: "Webhooks" } as const;
const read = { ...common, method: "GET", roles: ANYONE, limit: "read", body: "none" } as const;
const write = { ...common, method: "POST", roles: CHANGERS, limit: "write", body: "none" } as const;
const dispatcher = { unavailableCode: "Webhook.DispatcherUnavailable" } as const;

export const webhookRoutes: readonly Route[] = [
  ...webhookEndpointRoutes,
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
