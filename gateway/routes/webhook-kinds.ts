/** What the rows of the webhook routes have in common. */
import { ANYONE, CHANGERS } from "./dashboard-roles.ts";

export const WEBHOOKS = "/api/customer/v1/partner-profile/webhooks";

const common = { auth: "user", envelope: "dashboard", tag: "Webhooks", body: "none" } as const;
export const read = { ...common, method: "GET", roles: ANYONE, limit: "read" } as const;
export const write = { ...common, method: "POST", roles: CHANGERS, limit: "write" } as const;
