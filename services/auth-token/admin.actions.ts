/** The operator's commands of `npm run admin`. */
import type { PartnerView, UserView } from "../../shared/contract/actions/auth-token.ts";
import { AppError } from "../../shared/errors.ts";
import { SCOPES } from "../../shared/identity/caller.ts";
import { type ActionContext, type Actions, internal } from "../../shared/moleculer/typed-actions.ts";
import { auditKeySweep } from "../../shared/stores/audit-trail.repository.ts";
import { createPartner } from "./account/create-partner.ts";
import { createSandbox } from "./account/create-sandbox.ts";
import { createUser } from "./account/create-user.ts";
import type { Partner } from "./account/partner.model.ts";
import { tellStanding } from "./account/tell-standing.ts";
import type { UserFacts } from "./account/user.model.ts";
import { partnerRole } from "./account/user.rules.ts";
import { registerCertificate } from "./credential/change-credential.ts";
import { credentialView } from "./credential/credential.view.ts";
import type { Deps } from "./deps.ts";
import { resetPassword } from "./session/change-password.ts";
import { changeRole, endSessions, personByEmail, setDisabled, setLead } from "./session/change-person.ts";
import { readScopes } from "./token/scope.rules.ts";

/** Ids go through String(): an id that is missing on the wire must not become a filter that fits everybody. */
export function adminActions(deps: Deps) {
  const { audit, partners, users, sessions, keys, logger } = deps;

  type Changed = { id: string; partnerId?: string | null };

  const changing = <Request extends object, Answer extends Changed>(
    action: string,
    run: (request: Request) => Promise<Answer>,
    /** The record before the change. */
    find: (request: NoInfer<Request>) => Promise<Changed | null> = async () => null,
    /** Once it is stored. */
    afterwards: (answer: Answer) => Promise<void> = async () => undefined,
  ) =>
    internal(async ({ params, meta }: ActionContext<Request>) => {
      const answer = await audit.change(meta, async () => {
        const before = await find(params);
        const after = await run(params);
        const partnerId = after.partnerId ?? ("partnerId" in params ? String(params.partnerId) : null);
        return { value: after, fact: { action, partnerId, subject: after.id, before, after } };
      });
      await afterwards(answer);
      return answer;
    });
  const findPartner = async ({ partnerId }: { partnerId: string }) => {
    const partner = await partners.findById(String(partnerId));
    return partner && partnerView(partner);
  };
  /** Thrown within the change, it undoes it. */
  const mustBeActive = async (live: string) => {
    if (!known(await partners.findById(live)).active)
      throw new AppError("Partner.Inactive", "A sandbox is active with its live partner: activate that one.");
  };
  const findUser = async ({ email }: { email: string }) => userView(await personByEmail(deps, email));

  return {
    createPartner: changing("partner.created", async (input) =>
      partnerView(await createPartner(deps, input)),
    ),
    createSandbox: changing("sandbox.created", async ({ partnerId }) =>
      partnerView(await createSandbox(deps, String(partnerId))),
    ),
    setPartnerActive: changing(
      "partner.active_set",
      async ({ partnerId, active }) => {
        const now = new Date(deps.clock.now());
        const partner = known(await partners.setActive(String(partnerId), active === true, now));
        if (partner.active && partner.testOf) await mustBeActive(partner.testOf);
        return partnerView(partner);
      },
      findPartner,
      async ({ partnerId }) => {
        for (const one of await partners.findWithSandbox(partnerId)) await tellStanding(deps, one);
      },
    ),
    approvePartner: changing(
      "partner.approved",
      async ({ partnerId }) => partnerView(known(await partners.approve(String(partnerId)))),
      findPartner,
    ),
    setClientScopes: changing(
      "client.scopes_set",
      async ({ partnerId, scopes }) =>
        partnerView(known(await partners.setScopes(String(partnerId), readScopes(scopes)))),
      findPartner,
    ),
    partnerNames: internal(async ({ params }) => {
      const found = await partners.namesOf(params.partnerIds.map(String));
      return { names: Object.fromEntries(found.map(({ _id, name }) => [_id, name])) };
    }),
    listPartners: internal(async () => ({ items: (await partners.list()).map(partnerView) })),
    createUser: changing("user.created", async ({ partnerId, email, password, role }) =>
      userView(
        await createUser(deps, { partnerId: String(partnerId), email, password, role: partnerRole(role) }),
      ),
    ),
    createAnalyst: changing("analyst.created", async ({ email, password }) =>
      userView(await createUser(deps, { partnerId: null, email, password, role: "Analyst" })),
    ),
    setAnalystLead: changing(
      "analyst.lead_set",
      async ({ email, lead }) =>
        userView(await setLead(deps, await personByEmail(deps, email), lead === true)),
      findUser,
    ),
    listUsers: internal(async ({ params: { partnerId = "", everybody } }) => ({
      items: (await (everybody === true ? users.listAll() : users.list(String(partnerId)))).map(userView),
    })),
    resetPassword: changing(
      "password.reset",
      async ({ email, password }) =>
        userView(await resetPassword(deps, await personByEmail(deps, email), password)),
      findUser,
    ),
    setUserDisabled: changing(
      "user.disabled_set",
      async ({ email, disabled }) =>
        userView(await setDisabled(deps, await personByEmail(deps, email), disabled === true)),
      findUser,
    ),
    changeUserRole: changing(
      "user.role_changed",
      async ({ email, role }) => userView(await changeRole(deps, await personByEmail(deps, email), role)),
      findUser,
    ),
    endUserSessions: changing(
      "user.sessions_ended",
      async ({ email }) => userView(await endSessions(deps, await personByEmail(deps, email))),
      findUser,
    ),
    resetSecondFactor: changing(
      "second_factor.reset",
      async ({ email }) => {
        const user = await personByEmail(deps, email);
        await users.removeSecondFactor(user._id);
        await sessions.removeOfUser(user._id);
        return userView(user);
      },
      findUser,
    ),
    rotateSigningKey: internal(async ({ params, meta }) => {
      const immediately = params.immediately === true;
      const nobody = { partnerId: null, subject: "signing keys", before: null };
      await audit.asked(meta, { action: "signing_key.rotation_asked", ...nobody, after: { immediately } });
      const { kid, signsFrom } = await keys.rotate({ immediately });
      logger.info({ recordId: kid, operator: meta.operator ?? null }, "signing_key.rotated");
      return { id: kid, kid, signsFrom: signsFrom.toISOString() };
    }),
    sweepFieldKeys: internal(async ({ params, meta }) => {
      await auditKeySweep(audit, meta, params);
      return deps.sweepFieldKeys(params);
    }),
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
  testOf: partner.testOf ?? null,
  createdAt: partner.createdAt.toISOString(),
});

const userView = ({ _id, email, role, partnerId, createdAt, disabledAt, isLead }: UserFacts): UserView => ({
  id: _id,
  email,
  role,
  partnerId,
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
  isLead: isLead === true,
});
