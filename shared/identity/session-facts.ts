import type { Role } from "./caller.ts";

/** What the auth-token service tells the gateway about a session. */
export type SessionFacts = {
  sessionId: string;
  userId: string;
  email: string;
  role: Role;
  partner: { partnerId: string; name: string; active: boolean; onboardingApproved: boolean } | null;
  /** When it ends if nothing more is done in it. */
  expiresAt: string;
};
