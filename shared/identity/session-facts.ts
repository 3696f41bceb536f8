/** A session as auth-token returns it to the gateway. */
import type { Role } from "./caller.ts";

export type SessionFacts = {
  sessionId: string;
  userId: string;
  email: string;
  role: Role;
  /** Only of a lead analyst. */
  isLead?: true;
  partner: { partnerId: string; name: string; active: boolean; onboardingApproved: boolean } | null;
  /** Expiry if the session is not used again. */
  expiresAt: string;
  /** By the clock that wrote it. */
  signedInSecondsAgo: number;
  /** The role needs a second factor, and the person has set up none. */
  lacksSecondFactor: boolean;
};
