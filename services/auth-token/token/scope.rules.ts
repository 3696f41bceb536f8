/** The scopes of an API client and of its tokens. */
import { AppError } from "../../../shared/errors.ts";
import { SCOPES, type Scope } from "../../../shared/identity/caller.ts";
import { OAuthProblem } from "./token-request.rules.ts";

/** Reads the scopes that an operator gives a client: at least one, in our order. */
export function readScopes(names: unknown): readonly Scope[] {
  const given: unknown[] = Array.isArray(names) ? names : [];
  const scopes = SCOPES.filter((scope) => given.includes(scope));
  if (scopes.length === 0 || scopes.length !== given.length)
    throw new AppError(
      "ValidationControl.Error",
      `The scopes are ${SCOPES.join(" and ")}, each at most once.`,
    );
  return scopes;
}

/** The scopes of a token request, in our order; a request without scopes gets all scopes of the client. */
export function grantedScopes(requested: string | null, allowed: readonly Scope[]): readonly Scope[] {
  if (requested === null) return allowed;
  const names = requested.split(" ");
  if (!names.every((name) => allowed.some((scope) => scope === name)))
    throw new OAuthProblem(400, "invalid_scope", `The scopes of this client: ${allowed.join(" and ")}.`);
  return SCOPES.filter((scope) => names.includes(scope));
}
