/** An Owner manages the people of the own team in the dashboard. */
import type { InvitationView, TeamMember } from "../../shared/contract/answers/team.ts";
import { AppError } from "../../shared/errors.ts";
import { partnerOf, type UserCaller } from "../../shared/identity/caller.ts";
import { bodyReader } from "../../shared/input/validation.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import type { Invitation } from "./account/invitation.model.ts";
import { invitePerson, withdrawInvitation } from "./account/invite-person.ts";
import type { UserFacts } from "./account/user.model.ts";
import { acceptBody, inviteBody } from "./auth-token.schemas.ts";
import type { Deps } from "./deps.ts";
import { changeRole, colleague, endSessions, keepAnOwner, setDisabled } from "./session/change-person.ts";
import { invitationFacts, joinTeam } from "./session/join-team.ts";

export function teamActions(deps: Deps) {
  const { audit, clock, config, invitations, users } = deps;
  const readInvitation = bodyReader<{ email: string; role: string }>(inviteBody);
  const readAcceptance = bodyReader<{ token: string; password: string }>(acceptBody);

  const changing = (action: string, run: (member: UserFacts, body: unknown) => Promise<UserFacts>) =>
    published(({ params, meta }: ActionContext<HttpParams>) => {
      const owner = ownerOf(meta);
      return audit.change(meta, async () => {
        const member = await colleague(deps, owner, params.params.userId ?? "");
        const before = memberView(member);
        const after = memberView(await run(member, params.body));
        const { partnerId } = owner;
        return { value: after, fact: { action, partnerId, subject: after.userId, before, after } };
      });
    });

  return {
    listTeam: published(async ({ meta }) => {
      const partnerId = partnerOf(meta);
      const [members, invited] = await Promise.all([
        users.list(partnerId),
        invitations.list(partnerId, new Date(clock.now())),
      ]);
      return { items: members.map(memberView), invitations: invited.map(invitationView) };
    }),
    invitePerson: published(({ params, meta }) => {
      const owner = ownerOf(meta);
      const wanted = readInvitation(params.body);
      return audit.change(meta, async () => {
        const { invitation, token } = await invitePerson(deps, await ownerInTeam(owner), wanted);
        // Behind the #, so that no log of an address contains the token.
        const link = `${config.baseUrl}/dashboard/invitation#${token}`;
        const about = { partnerId: owner.partnerId, subject: invitation._id };
        return {
          value: { ...invitationView(invitation), link },
          fact: { action: "member.invited", ...about, before: null, after: invitationFacts(invitation) },
        };
      });
    }),
    withdrawInvitation: published(({ params, meta }) => {
      const { partnerId } = ownerOf(meta);
      const { invitationId: subject = "" } = params.params;
      return audit.change(meta, async () => {
        await withdrawInvitation(deps, partnerId, subject);
        return {
          value: null,
          fact: { action: "invitation.withdrawn", partnerId, subject, before: null, after: null },
        };
      });
    }),
    acceptInvitation: published(async ({ params, meta }) => {
      const { email } = await joinTeam(deps, meta, readAcceptance(params.body));
      return { email };
    }),
    changeMemberRole: changing("member.role_changed", async (member, body) => {
      const changed = await changeRole(deps, member, isRecord(body) ? body.role : undefined);
      if (changed.role !== "Owner") await keepAnOwner(deps, member);
      return changed;
    }),
    disableMember: changing("member.disabled", async (member) => {
      await keepAnOwner(deps, member);
      return setDisabled(deps, member, true);
    }),
    enableMember: changing("member.enabled", (member) => setDisabled(deps, member, false)),
    endMemberSessions: changing("member.sessions_ended", (member) => endSessions(deps, member)),
  } satisfies Partial<Actions<"auth-token">>;

  /** As stored: in the sandbox the caller acts for the test twin, which has no people of its own. */
  async function ownerInTeam({ userId, partnerId }: UserCaller) {
    const user = await users.findById(userId);
    if (user?.role !== "Owner" || user.disabledAt) throw notOwner();
    if (user.partnerId !== partnerId)
      throw new AppError(
        "ValidationControl.Error",
        "A sandbox has the people of its live partner; invite there.",
      );
    return { ...user, partnerId };
  }
}

const notOwner = () => new AppError("Partner.InsufficientRole", "Only an Owner may do this.");

function ownerOf({ caller }: { caller: unknown }): UserCaller {
  const user = caller as UserCaller | null;
  if (user?.kind !== "user" || user.role !== "Owner") throw notOwner();
  return user;
}

const memberView = ({ _id, email, role, createdAt, disabledAt }: UserFacts): TeamMember => ({
  userId: _id,
  email,
  role,
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
});

const invitationView = ({
  _id,
  email,
  role,
  invitedBy,
  createdAt,
  expiresAt,
}: Invitation): InvitationView => ({
  invitationId: _id,
  email,
  role,
  invitedBy,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});
