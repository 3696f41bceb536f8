/** Finds the person of a session; each visit of the person extends the session. */
import type { SessionFacts } from "../../../shared/identity/session-facts.ts";
import { findSandbox } from "../account/create-sandbox.ts";
import type { Deps } from "../deps.ts";
import { needsSecondFactor } from "./second-factor.ts";
import { endsAt, isAlive, shouldTouch } from "./session.rules.ts";

type Visit = {
  /** The session acts for the test twin of the partner. */
  inSandbox?: boolean;
  /** Background reads: an open window alone must not keep a session alive. */
  isBackground?: boolean;
};

/** Null when the session is over. */
export async function checkSession(
  deps: Deps,
  sessionId: string,
  { inSandbox = false, isBackground = false }: Visit = {},
): Promise<SessionFacts | null> {
  const { clock, sessions, users, partners, config } = deps;
  const session = await sessions.findById(sessionId);
  if (!session) return null;
  const now = clock.now();
  if (!isAlive(session, now)) {
    await sessions.remove(sessionId);
    return null;
  }
  const findPartner = (id: string) => (inSandbox ? findSandbox(deps, id) : partners.findById(id));
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
