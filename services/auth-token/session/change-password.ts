/** A new password: chosen by the person who knows the present one, or set by an operator. Every session ends. */
import type { AuditFact } from "../../../shared/action-types/audit.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { AuditTrail } from "../../../shared/stores/audit-trail.repository.ts";
import type { PartnerRepository } from "../account/partner.repository.ts";
import { checkPassword } from "../account/password.rules.ts";
import type { User } from "../account/user.model.ts";
import { normalEmail } from "../account/user.rules.ts";
import { type LoginDeps, openSession, withPassword } from "./login.ts";

type Deps = LoginDeps & {
  partners: Pick<PartnerRepository, "findById">;
  commonPasswords: ReadonlySet<string>;
  audit: AuditTrail;
};

type OwnChange = { email: string; address: string; currentPassword: string; newPassword: unknown };

/** Answers the session that takes the place of the ended ones. */
export async function changeOwnPassword(
  deps: Deps,
  meta: CallMeta,
  { email, address, currentPassword, newPassword }: OwnChange,
) {
  const user = await withPassword(deps, { email, address, password: currentPassword });
  await deps.audit.change(meta, async () => {
    await setPassword(deps, user, newPassword, "newPassword");
    return { value: null, fact: ownFact("password.changed", user) };
  });
  return openSession(deps, user);
}

/** What a person did with the own account. */
export const ownFact = (action: string, { _id, partnerId }: User): AuditFact => ({
  action,
  partnerId,
  subject: _id,
  before: null,
  after: null,
});

export async function resetPassword(deps: Deps, input: { email: unknown; password: unknown }): Promise<User> {
  const user = await deps.users.findByEmail(normalEmail(input.email));
  if (!user) throw new AppError("User.NotFound", "There is no user with this email.");
  await setPassword(deps, user, input.password, "password");
  return user;
}

async function setPassword(deps: Deps, user: User, wish: unknown, field: string): Promise<void> {
  const partner = user.partnerId === null ? null : await deps.partners.findById(user.partnerId);
  const password = checkPassword(wish, [user.email, partner?.name ?? ""], deps.commonPasswords, field);
  await deps.users.setPassword(user._id, await deps.hasher.hash(password), new Date(deps.clock.now()));
  await deps.sessions.removeOfUser(user._id);
}
