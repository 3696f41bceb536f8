/** Adds an invited person to the team. */
import type { AuditFacts } from "../../../shared/contract/answers/audit.ts";
import { errorCode } from "../../../shared/errors.ts";
import type { CallMeta, UserCaller } from "../../../shared/identity/caller.ts";
import { randomId } from "../../../shared/ids.ts";
import type { Invitation } from "../account/invitation.model.ts";
import { acceptInvitation, findInvitation } from "../account/invite-person.ts";
import type { Deps } from "../deps.ts";
import { PROBE_THROTTLE, tooManyTries } from "./login-throttle.rules.ts";

/** Without a session: the person with the link is the person who joins. */
export async function joinTeam(
  deps: Deps,
  meta: CallMeta,
  { token, password }: { token: string; password: unknown },
): Promise<UserCaller> {
  const { audit, clock, throttles } = deps;
  const invitation = await findInvitation(deps, token);
  const { email, role, partnerId } = invitation;
  const probes = `probes ${partnerId}`;
  const wait = await throttles.pause(probes, clock.now());
  if (wait > 0) throw tooManyTries(wait, "refused invitations of this team");
  const joining: UserCaller = { kind: "user", userId: randomId(), email, role, partnerId };
  const asJoining = { ...meta, caller: joining };
  const about = { partnerId, before: null, after: invitationFacts(invitation) };
  try {
    await audit.change(asJoining, async () => {
      const { _id: subject } = await acceptInvitation(deps, invitation, { userId: joining.userId, password });
      return { value: null, fact: { action: "member.joined", subject, ...about } };
    });
  } catch (error) {
    if (errorCode(error) !== "User.Exists") throw error;
    // The refusal reveals that the address has an account: it is recorded and throttled.
    await throttles.countTry(probes, PROBE_THROTTLE, clock.now());
    await audit.asked(asJoining, { action: "invitation.refused", subject: invitation._id, ...about });
    throw error;
  }
  return joining;
}

export const invitationFacts = ({ _id, email, role, invitedBy }: Invitation): AuditFacts => ({
  invitationId: _id,
  email,
  role,
  invitedBy,
});
