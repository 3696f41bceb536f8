/** What is wrong with a route table; the gateway does not start with such a one. */
import { isAction } from "../shared/actions.ts";
import { SCOPES } from "../shared/identity/caller.ts";
import type { Route } from "./route.ts";

const AUTH_KINDS: readonly unknown[] = ["partner", "user", "analyst", "session", "none"];
const KNOWN_SCOPES: readonly unknown[] = SCOPES;

/**
 * The compiler checks rows as well. Action, auth and scope are checked here again, because a row that got past
 * it (by a cast, say) would be open. Only this finds a path that stands twice.
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
    if (route.sameForAll && (route.auth !== "none" || route.method !== "GET"))
      problems.push(`${name} cannot have the same answer for all`);
    return problems;
  });
}
