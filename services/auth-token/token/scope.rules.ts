/** Which scopes a token gets. */
import { SCOPES, type Scope } from "../../../shared/identity/caller.ts";
import { OAuthProblem } from "./token-request.rules.ts";

/** The scopes of a request, in our order; none asked for means all. */
export function grantedScopes(requested: string | null): readonly Scope[] {
  if (requested === null) return SCOPES;
  const names = requested.split(" ");
  if (!names.every((name) => SCOPES.some((scope) => scope === name)))
    throw new OAuthProblem(400, "invalid_scope", `The scopes are ${SCOPES.join(" and ")}.`);
  return SCOPES.filter((scope) => names.includes(scope));
}
