/** Sets a new password and ends every session of the person. */
import type { Clock } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import type { PartnerRepository } from "../account/partner.repository.ts";
import { checkPassword } from "../account/password.rules.ts";
import type { PasswordHasher } from "../account/password-hash.ts";
import type { User } from "../account/user.model.ts";
import type { UserRepository } from "../account/user.repository.ts";
import { normalEmail } from "../account/user.rules.ts";
import type { SessionRepository } from "./session.repository.ts";

type Deps = {
  clock: Clock;
  users: Pick<UserRepository, "findByEmail" | "setPassword">;
  partners: Pick<PartnerRepository, "findById">;
  sessions: Pick<SessionRepository, "removeOfUser">;
  hasher: Pick<PasswordHasher, "hash">;
  commonPasswords: ReadonlySet<string>;
};

export async function resetPassword(deps: Deps, input: { email: unknown; password: unknown }): Promise<User> {
  const user = await deps.users.findByEmail(normalEmail(input.email));
  if (!user) throw new AppError("User.NotFound", "There is no user with this email.");
  const partner = user.partnerId === null ? null : await deps.partners.findById(user.partnerId);
  const password = checkPassword(input.password, [user.email, partner?.name ?? ""], deps.commonPasswords);
  await deps.users.setPassword(user._id, await deps.hasher.hash(password), new Date(deps.clock.now()));
  await deps.sessions.removeOfUser(user._id);
  return user;
}
