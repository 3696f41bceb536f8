/** Changes of people, also of the operator: disable, enable, another role. */
import { AppError } from "../../../shared/errors.ts";
import type { User, UserFacts } from "../account/user.model.ts";
import { normalEmail, partnerRole } from "../account/user.rules.ts";
import type { Deps } from "../deps.ts";

/** Each login and session check reads the person, so this one write takes effect immediately. */
export async function setDisabled(deps: Deps, user: UserFacts, disabled: boolean): Promise<UserFacts> {
  const disabledAt = disabled ? (user.disabledAt ?? new Date(deps.clock.now())) : null;
  await deps.users.setDisabled(user._id, disabledAt);
  if (disabled) {
    await deps.sessions.removeOfUser(user._id);
    await withdrawInvitations(deps, user);
  }
  return { ...user, disabledAt };
}

/** A former Owner must not return by an older link. */
async function withdrawInvitations({ invitations }: Deps, { _id, partnerId }: UserFacts): Promise<void> {
  if (partnerId !== null) await invitations.removeOfInviter(partnerId, _id);
}

export async function changeRole(deps: Deps, user: UserFacts, wanted: unknown): Promise<UserFacts> {
  const role = partnerRole(wanted);
  if (user.partnerId === null)
    throw new AppError("ValidationControl.Error", "An analyst belongs to no partner and keeps this role.");
  // Open sessions go on with the new role; a sign-in that was checked before opens none.
  await deps.sessions.follow({ userId: user._id }, await deps.users.setRole(user._id, role));
  if (role !== "Owner") await withdrawInvitations(deps, user);
  return { ...user, role };
}

/** A session check reads the person, so it counts from the next request on. */
export async function setLead(deps: Deps, user: UserFacts, isLead: boolean): Promise<UserFacts> {
  if (user.role !== "Analyst")
    throw new AppError("ValidationControl.Error", "Only an analyst can be a lead analyst.");
  await deps.users.setLead(user._id, isLead);
  return { ...user, isLead };
}

export async function endSessions(deps: Deps, user: UserFacts): Promise<UserFacts> {
  await deps.users.raiseVersion(user._id);
  await deps.sessions.removeOfUser(user._id);
  return user;
}

export async function personByEmail({ users }: Deps, email: unknown): Promise<User> {
  const user = await users.findByEmail(normalEmail(email));
  if (!user) throw new AppError("User.NotFound", "There is no user with this email.");
  return user;
}

/** In the transaction of the change. Both of two Owners who remove each other write the partner, so one runs again. */
export async function keepAnOwner({ users, partners }: Deps, user: UserFacts): Promise<void> {
  if (user.role !== "Owner" || user.partnerId === null) return;
  await partners.countOwnerChange(user.partnerId);
  if (!(await users.hasOtherOwner(user.partnerId, user._id)))
    throw new AppError("User.LastOwner", "A team keeps at least one Owner who can sign in.");
}

/** Finds another person of the Owner's team. No person changes the own access, so no team locks itself out. */
export async function colleague(
  { users }: Deps,
  owner: { userId: string; partnerId: string },
  userId: string,
): Promise<UserFacts> {
  const user = await users.findById(userId);
  if (!user || user.partnerId !== owner.partnerId)
    throw new AppError("User.NotFound", "There is no person with this id in the team.");
  if (user._id === owner.userId)
    throw new AppError("User.Self", "Another Owner has to do this: no person changes the own access.");
  return user;
}
