import type { Route } from "../route.ts";
import { webhookDeliveryRoutes } from "./webhook-deliveries.ts";
import { webhookEndpointRoutes } from "./webhook-endpoint.ts";

export const webhookRoutes: readonly Route[] = [...webhookEndpointRoutes, ...webhookDeliveryRoutes];
