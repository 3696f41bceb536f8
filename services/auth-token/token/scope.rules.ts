/** Which scopes a token gets. */
import { SCOPES, type Scope } from "../../../shared/identity/caller.ts";
import { OAuthProblem } from "./token-request.rules.ts";

/** The scopes of a request, in our order; none asked for means all that the client has. */
export function grantedScopes(requested: string | null, allowed: readonly Scope[]): readonly Scope[] {
  if (requested === null) return allowed;
  const names = requested.split(" ");
  if (!names.every((name) => allowed.some((scope) => scope === name)))
    throw new OAuthProblem(400, "invalid_scope", `The scopes of this client: ${allowed.join(" and ")}.`);
  return SCOPES.filter((scope) => names.includes(scope));
}
