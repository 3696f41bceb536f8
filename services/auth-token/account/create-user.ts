/** Creates a person of a partner, or of the operator. */
import { AppError } from "../../../shared/errors.ts";
import type { Role } from "../../../shared/identity/caller.ts";
import { randomId } from "../../../shared/ids.ts";
import { isDuplicateKey } from "../../../shared/mongo/mongo.ts";
import type { Deps } from "../deps.ts";
import { checkPassword } from "./password.rules.ts";
import type { User } from "./user.model.ts";
import { normalEmail } from "./user.rules.ts";

type NewUser = { userId?: string; email: unknown; password: unknown; role: Role; partnerId: string | null };

export async function createUser(deps: Deps, input: NewUser): Promise<User> {
  const email = normalEmail(input.email);
  const partner = input.partnerId === null ? null : await deps.partners.findById(input.partnerId);
  if (input.partnerId !== null && !partner)
    throw new AppError("Partner.NotFound", "There is no partner with this id.");
  const password = checkPassword(input.password, [email, partner?.name ?? ""], deps.commonPasswords);
  const now = new Date(deps.clock.now());
  const user: User = {
    _id: input.userId ?? randomId(),
    email,
    role: input.role,
    partnerId: partner?._id ?? null,
    passwordHash: await deps.hasher.hash(password),
    createdAt: now,
    passwordChangedAt: now,
    credentialVersion: 0,
    knownAddresses: [],
    disabledAt: null,
  };
  try {
    await deps.users.insert(user);
    return user;
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError("User.Exists", "There is a user with this email.");
    throw error;
  }
}
