/**
 * Growing pauses for wrong logins. Three counts run side by side: one person from one address, everything from
 * one address, and one account from everywhere. The last one stays short and spares addresses the person signed
 * in from before, so that nobody can lock somebody else out for good.
 */
import { AppError } from "../../../shared/errors.ts";

export type ThrottlePolicy = { freeTries: number; firstPauseMs: number; maxPauseMs: number };

export type ThrottleState = { tries: number; blockedUntil: number; expiresAt: number };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const THROTTLES = {
  pair: { freeTries: 5, firstPauseMs: SECOND, maxPauseMs: 15 * MINUTE },
  // A whole office may share one address.
  address: { freeTries: 60, firstPauseMs: SECOND, maxPauseMs: MINUTE },
  account: { freeTries: 20, firstPauseMs: SECOND, maxPauseMs: MINUTE },
} as const satisfies Record<string, ThrottlePolicy>;

/**
 * Codes of a second factor, which only a person who knows the password gets to try. One person from one network, and one
 * person from every network that the person never signed in from.
 */
export const CODE_THROTTLES = {
  pair: { freeTries: 5, firstPauseMs: SECOND, maxPauseMs: 15 * MINUTE },
  strangers: { freeTries: 10, firstPauseMs: SECOND, maxPauseMs: 15 * MINUTE },
} as const satisfies Record<string, ThrottlePolicy>;

/** Invitations of one team that were refused because their address has an account: each tells that it has one. */
export const PROBE_THROTTLE: ThrottlePolicy = { freeTries: 5, firstPauseMs: MINUTE, maxPauseMs: 15 * MINUTE };

/** Of one account in the last hour, and of one network: a person mistypes the password of a new phone this often. */
const NEWCOMER_TRIES = 2;

/**
 * Whose place a hash takes at an address that the person never signed in from. Only counts decide, which an account
 * that does not exist has as well: how long an answer takes says nothing about accounts.
 */
export const askerAfter = (tries: number): "newcomer" | "stranger" =>
  tries <= NEWCOMER_TRIES ? "newcomer" : "stranger";

export const tooManyTries = (waitMs: number, what = "attempts to sign in"): AppError =>
  new AppError("Request.RateLimited", `Too many ${what}; wait a little before the next one.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });

/** Tries are forgotten after this long without one. */
const MEMORY_MS = 60 * MINUTE;

/** How long the next try must wait; 0 when it may come now. */
export const pauseLeft = (state: ThrottleState | null, now: number): number =>
  state && state.expiresAt > now ? Math.max(0, state.blockedUntil - now) : 0;

/** The state after one more try, counted before its outcome is known so that parallel tries cannot slip by. */
export function afterTry(state: ThrottleState | null, policy: ThrottlePolicy, now: number): ThrottleState {
  const tries = (state && state.expiresAt > now ? state.tries : 0) + 1;
  const pause = pauseAfter(tries, policy);
  return { tries, blockedUntil: now + pause, expiresAt: now + pause + MEMORY_MS };
}

export function pauseAfter(tries: number, policy: ThrottlePolicy): number {
  if (tries < policy.freeTries) return 0;
  const doublings = Math.min(tries - policy.freeTries, 30);
  return Math.min(policy.maxPauseMs, policy.firstPauseMs * 2 ** doublings);
}
