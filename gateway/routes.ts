/** The whole public API as one table. A row that says something impossible stops the gateway from starting. */
import { isAction } from "../shared/actions.ts";
import type { Route } from "./route.ts";
import { complianceRoutes } from "./routes/compliance.ts";
import { dashboardAccessRoutes } from "./routes/dashboard-access.ts";
import { documentRoutes } from "./routes/documents.ts";
import { onboardingRoutes } from "./routes/onboarding.ts";
import { partnerProfileRoutes } from "./routes/partner-profiles.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

const pingRoute: Route = {
  method: "GET",
  path: "/api/ping",
  action: "profile.ping",
  auth: "none",
  limit: "none",
  body: "none",
  envelope: "partner",
  tag: "Health",
  doc: {
    summary: "Ask a service behind the gateway for an answer",
    value: { type: "object", required: ["pong"], properties: { pong: { const: true } } },
    valueExample: { pong: true },
  },
};

export const ROUTES: readonly Route[] = [
  ...tokenRoutes,
  ...partnerProfileRoutes,
  ...documentRoutes,
  ...onboardingRoutes,
  ...dashboardAccessRoutes,
  ...webhookRoutes,
  ...complianceRoutes,
  pingRoute,
];

const AUTH_KINDS = new Set(["partner", "user", "analyst", "session", "none"]);
const SCOPES = new Set<unknown>(["partner.read", "partner.write"]);

/** Everything that is wrong with a table; deny by default means that a doubt is a problem. */
export function routeProblems(routes: readonly Route[]): string[] {
  const seen = new Set<string>();
  return routes.flatMap((route) => {
    const name = `${route.method} ${route.path}`;
    const shape = `${route.method} ${route.path.replaceAll(/:\w+/g, ":")}`;
    const problems: string[] = [];
    if (seen.has(shape)) problems.push(`${name} stands twice`);
    seen.add(shape);
    if (!isAction(String(route.action)))
      problems.push(`${name} names the action ${route.action}, which does not exist`);
    if (!AUTH_KINDS.has(route.auth)) problems.push(`${name} declares no known auth kind`);
    if (route.auth === "partner" ? !SCOPES.has(route.scope) : route.scope !== undefined)
      problems.push(`${name} needs a scope exactly when partners call it`);
    if (route.auth === "user" && !route.roles?.length) problems.push(`${name} names no role`);
    if (route.scope === "partner.read" && route.method !== "GET")
      problems.push(`${name} writes with the scope partner.read`);
    if (route.auth === "partner" && route.limit === "none") problems.push(`${name} has no rate limit`);
    return problems;
  });
}
