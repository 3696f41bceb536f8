/** The person of a call, and the audit entry of a change to the own account. */
import type { AuditFact } from "../../../shared/contract/answers/audit.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { User } from "../account/user.model.ts";

export function signedIn({ caller }: CallMeta): { userId: string; sessionId: string } {
  if (!caller || caller.kind === "partner" || !caller.sessionId) throw notSignedIn();
  const { userId, sessionId } = caller;
  return { userId, sessionId };
}

export const notSignedIn = () => new AppError("Partner.NotAuthenticated", "You are not signed in.");

export const ownFact = (action: string, { _id, partnerId }: User): AuditFact => ({
  action,
  partnerId,
  subject: _id,
  before: null,
  after: null,
});
