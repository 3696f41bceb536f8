/** What the scopes of a partner's API client may be. */
import { AppError } from "../../../shared/errors.ts";
import { SCOPES, type Scope } from "../../../shared/identity/caller.ts";

/** In our order; at least one. */
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
