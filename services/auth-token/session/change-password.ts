/** A new password: chosen by a person with the current password and second factor, or set by an operator. */
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { checkPassword } from "../account/password.rules.ts";
import type { User } from "../account/user.model.ts";
import type { Deps } from "../deps.ts";
import { newSession, withCredentials, wrongCredentials } from "./login.ts";
import { ownFact } from "./own-account.ts";

type OwnChange = {
  user: User;
  /** The time of the sign-in that opened the calling session. */
  signedInAt: Date;
  address: string;
  currentPassword: string;
  code: string | null;
  newPassword: unknown;
};

/** Answers the session that replaces the ended ones. It keeps the time of the sign-in, so it is no fresh sign-in. */
export async function changeOwnPassword(
  deps: Deps,
  meta: CallMeta,
  { user: signedIn, signedInAt, address, currentPassword, code, newPassword }: OwnChange,
): Promise<{ cookieValue: string }> {
  // First, so that a refused password uses up no code.
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

export async function resetPassword(deps: Deps, user: User, wanted: unknown): Promise<User> {
  const password = await checkNewPassword(deps, user, wanted, "password");
  const passwordHash = await deps.hasher.hash(password);
  await deps.users.setPassword(user._id, passwordHash, new Date(deps.clock.now()));
  await deps.sessions.removeOfUser(user._id);
  return user;
}

async function checkNewPassword(
  { partners, commonPasswords }: Deps,
  { partnerId, email }: User,
  wanted: unknown,
  field: string,
): Promise<string> {
  const partner = partnerId === null ? null : await partners.findById(partnerId);
  return checkPassword(wanted, [email, partner?.name ?? ""], commonPasswords, field);
}
