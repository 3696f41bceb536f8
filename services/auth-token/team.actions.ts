/** What an Owner does with the people of the own team, signed in to the dashboard. */
import type { TeamMember } from "../../shared/action-types/auth-token.ts";
import { AppError } from "../../shared/errors.ts";
import { partnerOf, type UserCaller } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import type { UserFacts } from "./account/user.model.ts";
import type { Deps } from "./deps.ts";
import { changeRole, colleague, endSessions, setDisabled } from "./session/change-person.ts";

export function teamActions(deps: Deps) {
  const { audit, users, logger } = deps;

  const changing = (fact: string, run: (member: UserFacts, body: unknown) => Promise<UserFacts>) =>
    published(async ({ params, meta }: ActionContext<HttpParams>) => {
      const owner = ownerOf(meta);
      const member = await audit.change(meta, async () => {
        const before = await colleague(deps, owner, params.params.userId ?? "");
        const value = await run(before, params.body);
        const change = { before: memberView(before), after: memberView(value) };
        return {
          value,
          fact: { action: fact, partnerId: owner.partnerId, subject: value._id, ...change },
        };
      });
      const { requestId } = meta;
      logger.info(
        { requestId, partnerId: owner.partnerId, userId: owner.userId, memberId: member._id },
        fact,
      );
      return memberView(member);
    });

  return {
    listTeam: published(async ({ meta }) => ({ items: (await users.list(partnerOf(meta))).map(memberView) })),
    changeMemberRole: changing("member.role_changed", (member, body) =>
      changeRole(deps, member, isRecord(body) ? body.role : undefined),
    ),
    disableMember: changing("member.disabled", (member) => setDisabled(deps, member, true)),
    enableMember: changing("member.enabled", (member) => setDisabled(deps, member, false)),
    endMemberSessions: changing("member.sessions_ended", (member) => endSessions(deps, member)),
  } satisfies Partial<Actions<"auth-token">>;
}

function ownerOf({ caller }: { caller: unknown }): UserCaller {
  const user = caller as UserCaller | null;
  if (user?.kind !== "user" || user.role !== "Owner")
    throw new AppError("Partner.InsufficientRole", "Only an Owner may do this.");
  return user;
}

const memberView = ({ _id, email, role, createdAt, disabledAt }: UserFacts): TeamMember => ({
  userId: _id,
  email,
  role,
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
});
