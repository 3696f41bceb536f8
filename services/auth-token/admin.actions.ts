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
import { reportStanding } from "./account/report-standing.ts";
import type { User, UserFacts } from "./account/user.model.ts";
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

  const changing = <Request extends object, After extends Changed>(
    action: string,
    run: (request: Request) => Promise<{ before: Changed | null; after: After }>,
    onStored = async (_: After): Promise<void> => undefined,
  ) =>
    internal(async ({ params, meta }: ActionContext<Request>) => {
      const stored = await audit.change(meta, async () => {
        const { before, after } = await run(params);
        const partnerId = after.partnerId ?? ("partnerId" in params ? String(params.partnerId) : null);
        return { value: after, fact: { action, partnerId, subject: after.id, before, after } };
      });
      await onStored(stored);
      return stored;
    });
  const creating = <Request extends object, After extends Changed>(
    action: string,
    create: (request: Request) => Promise<After>,
  ) => changing(action, async (request: Request) => ({ before: null, after: await create(request) }));
  const onPartner = <Request extends { partnerId: string }>(
    action: string,
    change: (partnerId: string, request: Request) => Promise<Partner | null>,
    onStored?: (partner: PartnerView) => Promise<void>,
  ) =>
    changing(
      action,
      async (request: Request) => {
        const partnerId = String(request.partnerId);
        const before = partnerView(known(await partners.findById(partnerId)));
        return { before, after: partnerView(known(await change(partnerId, request))) };
      },
      onStored,
    );
  const onUser = <Request extends { email: string }>(
    action: string,
    change: (user: User, request: Request) => Promise<UserFacts>,
  ) =>
    changing(action, async (request: Request) => {
      const user = await personByEmail(deps, request.email);
      return { before: userView(user), after: userView(await change(user, request)) };
    });

  return {
    createPartner: creating("partner.created", async (input) =>
      partnerView(await createPartner(deps, input)),
    ),
    createSandbox: creating("sandbox.created", async ({ partnerId }) =>
      partnerView(await createSandbox(deps, String(partnerId))),
    ),
    setPartnerActive: onPartner(
      "partner.active_set",
      async (partnerId, { active }) => {
        const partner = await partners.setActive(partnerId, active === true, new Date(deps.clock.now()));
        // Thrown within the change, it undoes it.
        if (partner?.active && partner.testOf && !(await partners.findById(partner.testOf))?.active)
          throw new AppError(
            "Partner.Inactive",
            "A sandbox is active with its live partner: activate that one.",
          );
        return partner;
      },
      async ({ partnerId }) => {
        for (const each of await partners.findWithSandbox(partnerId)) await reportStanding(deps, each);
      },
    ),
    approvePartner: onPartner("partner.approved", partners.approve),
    setClientScopes: onPartner("client.scopes_set", (partnerId, { scopes }) =>
      partners.setScopes(partnerId, readScopes(scopes)),
    ),
    partnerNames: internal(async ({ params }) => {
      const found = await partners.namesOf(params.partnerIds.map(String));
      return { names: Object.fromEntries(found.map(({ _id, name }) => [_id, name])) };
    }),
    listPartners: internal(async () => ({ items: (await partners.list()).map(partnerView) })),
    createUser: creating("user.created", async ({ partnerId, email, password, role }) =>
      userView(
        await createUser(deps, { partnerId: String(partnerId), email, password, role: partnerRole(role) }),
      ),
    ),
    createAnalyst: creating("analyst.created", async ({ email, password }) =>
      userView(await createUser(deps, { partnerId: null, email, password, role: "Analyst" })),
    ),
    setAnalystLead: onUser("analyst.lead_set", (user, { lead }) => setLead(deps, user, lead === true)),
    listUsers: internal(async ({ params: { partnerId = "", everybody } }) => ({
      items: (await (everybody === true ? users.listAll() : users.list(String(partnerId)))).map(userView),
    })),
    resetPassword: onUser("password.reset", (user, { password }) => resetPassword(deps, user, password)),
    setUserDisabled: onUser("user.disabled_set", (user, { disabled }) =>
      setDisabled(deps, user, disabled === true),
    ),
    changeUserRole: onUser("user.role_changed", (user, { role }) => changeRole(deps, user, role)),
    endUserSessions: onUser("user.sessions_ended", (user) => endSessions(deps, user)),
    resetSecondFactor: onUser("second_factor.reset", async (user) => {
      await users.removeSecondFactor(user._id);
      await sessions.removeOfUser(user._id);
      return user;
    }),
    rotateSigningKey: internal(async ({ params, meta }) => {
      const immediately = params.immediately === true;
      const about = { partnerId: null, subject: "signing keys", before: null };
      await audit.asked(meta, { action: "signing_key.rotation_asked", ...about, after: { immediately } });
      const { kid, signsFrom } = await keys.rotate({ immediately });
      logger.info({ recordId: kid, operator: meta.operator ?? null }, "signing_key.rotated");
      return { id: kid, kid, signsFrom: signsFrom.toISOString() };
    }),
    sweepFieldKeys: internal(async ({ params, meta }) => {
      await auditKeySweep(audit, meta, params);
      return deps.sweepFieldKeys(params);
    }),
    registerCertificate: creating("certificate.registered", async ({ partnerId, certificate }) =>
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
