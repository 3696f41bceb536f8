/** Problems of a route table, with which the gateway does not start. */
import { isAction } from "../shared/contract/actions.ts";
import { type Role, SCOPES } from "../shared/identity/caller.ts";
import { type Admitted, accessOf } from "../shared/moleculer/action-access.rules.ts";
import type { Route } from "./route.ts";

const AUTH_KINDS: readonly unknown[] = ["partner", "user", "analyst", "session", "none"];
const KNOWN_SCOPES: readonly unknown[] = SCOPES;

/**
 * The compiler checks rows as well. Action, auth and scope are checked here again, because a row that got past
 * it (by a cast, say) would be open. Only this finds a path that is listed twice, and a row that opens an action to
 * callers whom the action's service refuses.
 */
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
    if (!AUTH_KINDS.includes(route.auth)) problems.push(`${name} declares no known auth kind`);
    if (route.auth === "partner" ? !KNOWN_SCOPES.includes(route.scope) : route.scope !== undefined)
      problems.push(`${name} needs a scope exactly when partners call it`);
    const admitted = isAction(String(route.action)) ? accessOf(route.action) : { anyone: true };
    for (const whom of excess(route, admitted))
      problems.push(`${name} is open to ${whom}, whom ${route.action} does not admit`);
    if (route.sameForAll && (route.auth !== "none" || route.method !== "GET"))
      problems.push(`${name} cannot have the same answer for all`);
    return problems;
  });
}

/** Callers that the row lets through and the action refuses. */
function excess(route: Route, { client, people = [], analysts = false, anyone = false }: Admitted): string[] {
  if (anyone) return [];
  const roles = (wanted: readonly Role[]) => wanted.filter((role) => !people.includes(role));
  switch (route.auth) {
    case "partner":
      return !KNOWN_SCOPES.includes(route.scope) || route.scope === client
        ? []
        : [`clients with ${route.scope}`];
    case "user":
      return roles(route.roles ?? []);
    case "analyst":
      return analysts ? [] : ["analysts"];
    case "session":
      return [...roles(["Owner", "Developer", "Viewer"]), ...(analysts ? [] : ["analysts"])];
    case "none":
      return ["anybody"];
    default:
      return [];
  }
}
