/** What the operator does by `npm run admin`. */
import type { ActionSchema, Context } from "moleculer";
import { AppError } from "../../shared/errors.ts";
import { createPartner } from "./account/create-partner.ts";
import { createUser } from "./account/create-user.ts";
import type { Partner } from "./account/partner.model.ts";
import type { UserFacts } from "./account/user.model.ts";
import { partnerRole } from "./account/user.rules.ts";
import { credentialView } from "./credential/credential.view.ts";
import { registerCertificate } from "./credential/register-certificate.ts";
import type { Parts } from "./deps.ts";
import { resetPassword } from "./session/reset-password.ts";

type Input = Record<string, unknown>;

export function adminActions(parts: Parts) {
  const { partners, users, keys, clients, logger } = parts;
  const now = () => new Date(parts.clock.now());

  /** Logged with its fact and ids; changes take effect at once in this process. */
  const action = <T extends { id?: string }>(
    fact: string,
    run: (input: Input) => Promise<T>,
  ): ActionSchema => ({
    visibility: "public" as const,
    async handler(ctx: Context<Input>) {
      const result = await run(ctx.params);
      clients.forget();
      logger.info({ recordId: result.id }, fact);
      return result;
    },
  });

  return {
    createPartner: action("partner.created", async (input) => partnerView(await createPartner(parts, input))),
    setPartnerActive: action("partner.active_set", async ({ partnerId, active }) =>
      partnerView(known(await partners.setActive(String(partnerId), active === true, now()))),
    ),
    approvePartner: action("partner.approved", async ({ partnerId }) =>
      partnerView(known(await partners.approve(String(partnerId)))),
    ),
    listPartners: {
      visibility: "public" as const,
      handler: async () => ({ items: (await partners.list()).map(partnerView) }),
    },
    createUser: action("user.created", async ({ partnerId, email, password, role }) =>
      userView(
        await createUser(parts, { partnerId: String(partnerId), email, password, role: partnerRole(role) }),
      ),
    ),
    createAnalyst: action("analyst.created", async ({ email, password }) =>
      userView(await createUser(parts, { partnerId: null, email, password, role: "Analyst" })),
    ),
    listUsers: {
      visibility: "public" as const,
      async handler({ params: { partnerId } }: Context<Input>) {
        return { items: (await users.list(partnerId ? String(partnerId) : null)).map(userView) };
      },
    },
    resetPassword: action("password.reset", async ({ email, password }) =>
      userView(await resetPassword(parts, { email, password })),
    ),
    rotateSigningKey: action("signing_key.rotated", async ({ immediately }) => {
      const { kid, signsFrom } = await keys.rotate({ immediately: immediately === true });
      return { id: kid, kid, signsFrom: signsFrom.toISOString() };
    }),
    registerCertificate: action("certificate.registered", async ({ partnerId, certificate }) =>
      credentialView(await registerCertificate(parts, String(partnerId), certificate)),
    ),
  };
}

function known(partner: Partner | null): Partner {
  if (!partner) throw new AppError("Partner.NotFound", "There is no partner with this id.");
  return partner;
}

const partnerView = ({ _id, name, clientId, active, onboardingApproved, createdAt }: Partner) => ({
  id: _id,
  partnerId: _id,
  name,
  clientId,
  active,
  onboardingApproved,
  createdAt: createdAt.toISOString(),
});

const userView = ({ _id, email, role, partnerId, createdAt }: UserFacts) => ({
  id: _id,
  email,
  role,
  partnerId,
  createdAt: createdAt.toISOString(),
});
