/** The audit entry of a change that a person made to the own account. */
import type { AuditFact } from "../../../shared/contract/answers/audit.ts";
import type { User } from "../account/user.model.ts";

export const ownFact = (action: string, { _id, partnerId }: Pick<User, "_id" | "partnerId">): AuditFact => ({
  action,
  partnerId,
  subject: _id,
  before: null,
  after: null,
});
