/** Invites a person to a team by a link that works once, and takes the person in. */
import { createHash, randomBytes } from "node:crypto";
import { HOUR_MS, INVITATION_HOURS } from "../../../shared/contract/durations.ts";
import { AppError } from "../../../shared/errors.ts";
import { randomId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import { createUser } from "./create-user.ts";
import type { Invitation } from "./invitation.model.ts";
import { MAX_INVITATIONS } from "./invitation.repository.ts";
import type { User, UserFacts } from "./user.model.ts";
import { normalEmail, partnerRole } from "./user.rules.ts";

export async function invitePerson(
  { clock, users, invitations }: Deps,
  owner: UserFacts & { partnerId: string },
  wanted: { email: unknown; role: unknown },
): Promise<{ invitation: Invitation; token: string }> {
  const email = normalEmail(wanted.email);
  const role = partnerRole(wanted.role);
  const { partnerId, email: invitedBy, _id: inviterId } = owner;
  // Accounts of the own team only: an Owner learns nothing about others.
  if ((await users.findByEmail(email))?.partnerId === partnerId) throw userExists();
  const now = new Date(clock.now());
  await invitations.removeOfEmail({ partnerId, email });
  if ((await invitations.list(partnerId, now)).length >= MAX_INVITATIONS)
    throw new AppError(
      "Invitation.LimitReached",
      `At most ${MAX_INVITATIONS} people can be invited at the same time.`,
    );
  const token = randomBytes(32).toString("base64url");
  const invitation: Invitation = {
    _id: randomId(),
    partnerId,
    email,
    role,
    tokenHash: hashOf(token),
    invitedBy,
    inviterId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_HOURS * HOUR_MS),
  };
  await invitations.insert(invitation);
  return { invitation, token };
}

export async function findInvitation({ clock, invitations }: Deps, token: string): Promise<Invitation> {
  const found = await invitations.find(hashOf(token), new Date(clock.now()));
  if (!found) throw noInvitation();
  return found;
}

/** Runs in one transaction: the invitation is used if and only if the person is created. */
export async function acceptInvitation(
  deps: Deps,
  invitation: Invitation,
  { userId, password }: { userId: string; password: unknown },
): Promise<User> {
  if (!(await deps.invitations.remove(invitation))) throw noInvitation();
  await checkInviter(deps, invitation);
  const { email, role, partnerId } = invitation;
  return createUser(deps, { userId, email, password, role, partnerId });
}

/** An invitation created while its Owner was being disabled or demoted is stored and must not count. */
async function checkInviter({ users, partners }: Deps, { inviterId, partnerId }: Invitation): Promise<void> {
  const inviter = await users.findById(inviterId);
  if (inviter?.role !== "Owner" || inviter.partnerId !== partnerId || inviter.disabledAt)
    throw noInvitation();
  if (!(await partners.findById(partnerId))?.active)
    throw new AppError("Partner.Inactive", "The partner that this invitation belongs to is inactive.");
}

export async function withdrawInvitation(
  { invitations }: Deps,
  partnerId: string,
  invitationId: string,
): Promise<void> {
  if (!(await invitations.remove({ _id: invitationId, partnerId }))) throw noInvitation();
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

const noInvitation = () =>
  new AppError(
    "Invitation.NotFound",
    "There is no such invitation: it was used, was withdrawn or has expired.",
  );

const userExists = () => new AppError("User.Exists", "There is a user with this email.");
