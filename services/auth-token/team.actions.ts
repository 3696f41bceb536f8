/** What an Owner does with the people of the own team, signed in to the dashboard. */

import type { InvitationView, TeamMember } from "../../shared/contract/answers/team.ts";
import { AppError } from "../../shared/errors.ts";
import { type CallMeta, partnerOf, type UserCaller } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import type { Invitation } from "./account/invitation.model.ts";
import { invitePerson, withdrawInvitation } from "./account/invite-person.ts";
import type { UserFacts } from "./account/user.model.ts";
import type { Deps } from "./deps.ts";
import { bodyReader } from "./read-body.ts";
import { changeRole, colleague, endSessions, keepAnOwner, setDisabled } from "./session/change-person.ts";
import { invitationFacts, joinTeam } from "./session/join-team.ts";
import { acceptBody, inviteBody } from "./session/team.schemas.ts";

export function teamActions(deps: Deps) {
  const { audit, clock, config, invitations, users, logger } = deps;
  const readInvitation = bodyReader<{ email: string; role: string }>(inviteBody);
  const readAcceptance = bodyReader<{ token: string; password: string }>(acceptBody);

  const log = ({ requestId }: CallMeta, { partnerId, userId }: UserCaller, memberId: string, fact: string) =>
    logger.info({ requestId, partnerId, userId, memberId }, fact);

  const changing = (fact: string, run: (member: UserFacts, body: unknown) => Promise<UserFacts>) =>
    published(async ({ params, meta }: ActionContext<HttpParams>) => {
      const owner = ownerOf(meta);
      const member = await audit.change(meta, async () => {
        const before = await colleague(deps, owner, params.params.userId ?? "");
        const value = await run(before, params.body);
        const change = { before: memberView(before), after: memberView(value) };
        return { value, fact: { action: fact, ...factOf(owner, value._id), ...change } };
      });
      log(meta, owner, member._id, fact);
      return memberView(member);
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
    invitePerson: published(async ({ params, meta }) => {
      const owner = ownerOf(meta);
      const wish = readInvitation(params.body);
      const { invitation, token } = await audit.change(meta, async () => {
        const made = await invitePerson(deps, await ownerInTeam(owner), wish);
        const after = invitationFacts(made.invitation);
        const subject = made.invitation._id;
        return {
          value: made,
          fact: { action: "member.invited", ...factOf(owner, subject), before: null, after },
        };
      });
      log(meta, owner, invitation._id, "member.invited");
      // Behind the #, so that it is in no log of an address.
      return {
        ...invitationView(invitation),
        link: `${config.baseUrl}/dashboard/invitation#${token}`,
      };
    }),
    withdrawInvitation: published(async ({ params, meta }) => {
      const owner = ownerOf(meta);
      const { invitationId = "" } = params.params;
      await audit.change(meta, async () => ({
        value: await withdrawInvitation(deps, owner.partnerId, invitationId),
        fact: {
          action: "invitation.withdrawn",
          ...factOf(owner, invitationId),
          before: null,
          after: null,
        },
      }));
      log(meta, owner, invitationId, "invitation.withdrawn");
      return null;
    }),
    acceptInvitation: published(async ({ params, meta }) => {
      const joined = await joinTeam(deps, meta, readAcceptance(params.body));
      log(meta, joined, joined.userId, "member.joined");
      return { email: joined.email };
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

const factOf = ({ partnerId }: UserCaller, subject: string) => ({ partnerId, subject });

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
