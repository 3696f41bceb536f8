/** A new password: chosen by the person who has the present one and the second factor, or set by an operator. */
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { PartnerRepository } from "../account/partner.repository.ts";
import { checkPassword } from "../account/password.rules.ts";
import type { User } from "../account/user.model.ts";
import { type LoginDeps, newSession, withCredentials, wrongCredentials } from "./login.ts";
import { ownFact } from "./own-fact.ts";

type Deps = LoginDeps & {
  partners: Pick<PartnerRepository, "findById">;
  commonPasswords: ReadonlySet<string>;
};

type OwnChange = {
  user: User;
  /** When the session that asks was opened by a sign-in. */
  signedInAt: Date;
  address: string;
  currentPassword: string;
  code: string | null;
  newPassword: unknown;
};

/** Answers the session in place of the ended ones. It is no fresh sign-in: it begins when the one before began. */
export async function changeOwnPassword(
  deps: Deps,
  meta: CallMeta,
  { user: signedIn, signedInAt, address, currentPassword, code, newPassword }: OwnChange,
): Promise<{ cookieValue: string }> {
  // First, so that a password that cannot be uses up no code.
  const chosen = await checkNewPassword(deps, signedIn, newPassword, "newPassword");
  const { email } = signedIn;
  const user = await withCredentials(deps, { email, address, password: currentPassword, code });
  const passwordHash = await deps.hasher.hash(chosen);
  return deps.audit.change(meta, async () => {
    const now = deps.clock.now();
    const credentialVersion = await deps.users.replacePassword(user, passwordHash, new Date(now));
    if (credentialVersion === null) throw wrongCredentials();
    await deps.sessions.removeOfUser(user._id);
    const made = newSession({ ...user, credentialVersion }, now, signedInAt.getTime());
    await deps.sessions.insert(made.session);
    return { value: made, fact: ownFact("password.changed", user) };
  });
}

export async function resetPassword(deps: Deps, user: User, wish: unknown): Promise<User> {
  const password = await checkNewPassword(deps, user, wish, "password");
  const passwordHash = await deps.hasher.hash(password);
  await deps.users.setPassword(user._id, passwordHash, new Date(deps.clock.now()));
  await deps.sessions.removeOfUser(user._id);
  return user;
}

async function checkNewPassword(
  { partners, commonPasswords }: Pick<Deps, "partners" | "commonPasswords">,
  { partnerId, email }: User,
  wish: unknown,
  field: string,
): Promise<string> {
  const partner = partnerId === null ? null : await partners.findById(partnerId);
  return checkPassword(wish, [email, partner?.name ?? ""], commonPasswords, field);
}
