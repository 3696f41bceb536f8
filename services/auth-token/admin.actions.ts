/** What the operator does by `npm run admin`. */
import type { PartnerView, UserView } from "../../shared/action-types/auth-token.ts";
import { AppError } from "../../shared/errors.ts";
import { SCOPES } from "../../shared/identity/caller.ts";
import { type ActionContext, type Actions, internal } from "../../shared/moleculer/typed-actions.ts";
import { readScopes } from "./account/client-scopes.rules.ts";
import { createPartner } from "./account/create-partner.ts";
import { createUser } from "./account/create-user.ts";
import type { Partner } from "./account/partner.model.ts";
import { tellStanding } from "./account/tell-standing.ts";
import type { UserFacts } from "./account/user.model.ts";
import { partnerRole } from "./account/user.rules.ts";
import { credentialView } from "./credential/credential.view.ts";
import { registerCertificate } from "./credential/register-certificate.ts";
import type { Deps } from "./deps.ts";
import { resetPassword } from "./session/change-password.ts";
import { changeRole, endSessions, personByEmail, setDisabled } from "./session/change-person.ts";

/** Ids go through String(): an id that is missing on the wire must not become a filter that fits everybody. */
export function adminActions(deps: Deps) {
  const { partners, users, keys, clients, logger } = deps;

  /** Every change is logged with its record, and takes effect at once in this process. */
  const changing = <Request, Answer extends { id: string }>(
    fact: string,
    run: (request: Request) => Promise<Answer>,
  ) =>
    internal(async ({ params }: ActionContext<Request>) => {
      const answer = await run(params);
      clients.forget();
      logger.info({ recordId: answer.id }, fact);
      return answer;
    });

  return {
    createPartner: changing("partner.created", async (input) =>
      partnerView(await createPartner(deps, input)),
    ),
    setPartnerActive: changing("partner.active_set", async ({ partnerId, active }) => {
      const now = new Date(deps.clock.now());
      const partner = known(await partners.setActive(String(partnerId), active === true, now));
      await tellStanding(deps, partner);
      return partnerView(partner);
    }),
    approvePartner: changing("partner.approved", async ({ partnerId }) =>
      partnerView(known(await partners.approve(String(partnerId)))),
    ),
    setClientScopes: changing("client.scopes_set", async ({ partnerId, scopes }) =>
      partnerView(known(await partners.setScopes(String(partnerId), readScopes(scopes)))),
    ),
    listPartners: internal(async () => ({ items: (await partners.list()).map(partnerView) })),
    createUser: changing("user.created", async ({ partnerId, email, password, role }) =>
      userView(
        await createUser(deps, { partnerId: String(partnerId), email, password, role: partnerRole(role) }),
      ),
    ),
    createAnalyst: changing("analyst.created", async ({ email, password }) =>
      userView(await createUser(deps, { partnerId: null, email, password, role: "Analyst" })),
    ),
    listUsers: internal(async ({ params: { partnerId } }) => ({
      items: (await users.list(partnerId ? String(partnerId) : null)).map(userView),
    })),
    resetPassword: changing("password.reset", async (input) => userView(await resetPassword(deps, input))),
    setUserDisabled: changing("user.disabled_set", async ({ email, disabled }) =>
      userView(await setDisabled(deps, await personByEmail(deps, email), disabled === true)),
    ),
    changeUserRole: changing("user.role_changed", async ({ email, role }) =>
      userView(await changeRole(deps, await personByEmail(deps, email), role)),
    ),
    endUserSessions: changing("user.sessions_ended", async ({ email }) =>
      userView(await endSessions(deps, await personByEmail(deps, email))),
    ),
    resetSecondFactor: changing("second_factor.reset", async ({ email }) => {
      const user = await personByEmail(deps, email);
      await users.removeSecondFactor(user._id);
      return userView(await endSessions(deps, user));
    }),
    rotateSigningKey: changing("signing_key.rotated", async ({ immediately }) => {
      const { kid, signsFrom } = await keys.rotate({ immediately: immediately === true });
      return { id: kid, kid, signsFrom: signsFrom.toISOString() };
    }),
    sweepFieldKeys: internal(({ params }) => deps.sweepFieldKeys(params)),
    registerCertificate: changing("certificate.registered", async ({ partnerId, certificate }) =>
      credentialView(await registerCertificate(deps, String(partnerId), certificate)),
    ),
  } satisfies Partial<Actions<"auth-token">>;
}

function known(partner: Partner | null): Partner {
  if (!partner) throw new AppError("Partner.NotFound", "There is no partner with this id.");
  return partner;
}

const partnerView = (partner: Partner): PartnerView => ({
  id: partner._id,
  partnerId: partner._id,
  name: partner.name,
  clientId: partner.clientId,
  active: partner.active,
  onboardingApproved: partner.onboardingApproved,
  scopes: [...(partner.scopes ?? SCOPES)],
  createdAt: partner.createdAt.toISOString(),
});

const userView = ({ _id, email, role, partnerId, createdAt, disabledAt }: UserFacts): UserView => ({
  id: _id,
  email,
  role,
  partnerId,
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
});
