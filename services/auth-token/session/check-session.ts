/** Finds the person of a session; each visit of the person extends the session. */
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { SessionFacts } from "../../../shared/identity/session-facts.ts";
import { findSandbox } from "../account/create-sandbox.ts";
import type { PartnerRepository } from "../account/partner.repository.ts";
import type { UserRepository } from "../account/user.repository.ts";
import { needsSecondFactor } from "./second-factor.ts";
import type { SessionRepository } from "./session.repository.ts";
import { endsAt, isAlive, shouldTouch } from "./session.rules.ts";

type Deps = {
  clock: Clock;
  sessions: Pick<SessionRepository, "findById" | "touch" | "remove">;
  users: Pick<UserRepository, "findById">;
  partners: Pick<PartnerRepository, "findById" | "findSandboxOf">;
  config: Pick<Config, "secondFactorFor">;
};

type Visit = {
  /** The session acts for the test twin of the partner. */
  inSandbox?: boolean;
  /** Background reads: an open window alone must not keep a session alive. */
  isBackground?: boolean;
};

/** Null when the session is over. */
export async function checkSession(
  { clock, sessions, users, partners, config }: Deps,
  sessionId: string,
  { inSandbox = false, isBackground = false }: Visit = {},
): Promise<SessionFacts | null> {
  const session = await sessions.findById(sessionId);
  if (!session) return null;
  const now = clock.now();
  if (!isAlive(session, now)) {
    await sessions.remove(sessionId);
    return null;
  }
  const findPartner = (id: string) => (inSandbox ? findSandbox({ partners }, id) : partners.findById(id));
  const [user, partner] = await Promise.all([
    users.findById(session.userId),
    session.partnerId === null ? null : findPartner(session.partnerId),
  ]);
  if (!user || user.disabledAt || user.credentialVersion !== session.credentialVersion) return null;
  const isSeen = !isBackground && shouldTouch(session, now);
  if (isSeen) await sessions.touch(sessionId, new Date(now));
  return {
    sessionId,
    userId: user._id,
    email: user.email,
    role: user.role,
    ...(user.isLead ? { isLead: true } : {}),
    partner: partner && {
      partnerId: partner._id,
      name: partner.name,
      active: partner.active,
      onboardingApproved: partner.onboardingApproved,
    },
    expiresAt: endsAt(session, isSeen ? now : session.lastSeenAt.getTime()).toISOString(),
    signedInSecondsAgo: Math.floor((now - session.createdAt.getTime()) / 1_000),
    lacksSecondFactor: !user.secondFactor && needsSecondFactor(config, user.role),
  };
}
