/** Growing pauses for wrong logins, by three counts: a person at an address, an address, an account (DECISIONS). */
import { createHash } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";
import { addressKey } from "../../../shared/identity/address-key.ts";

export type ThrottlePolicy = { freeTries: number; firstPauseMs: number; maxPauseMs: number };

/** A count as stored; a successful try is not counted. */
export type LoginThrottle = { _id: string; tries: number; blockedUntil: Date; expiresAt: Date };

export type ThrottleState = Omit<LoginThrottle, "_id">;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const THROTTLES = {
  pair: { freeTries: 5, firstPauseMs: SECOND, maxPauseMs: 15 * MINUTE },
  // A whole office may share one address.
  address: { freeTries: 60, firstPauseMs: SECOND, maxPauseMs: MINUTE },
  account: { freeTries: 20, firstPauseMs: SECOND, maxPauseMs: MINUTE },
} as const satisfies Record<string, ThrottlePolicy>;

/** Codes of a second factor: of a person at one network, and at all networks that the person never signed in from. */
export const CODE_THROTTLES = {
  pair: { freeTries: 5, firstPauseMs: SECOND, maxPauseMs: 15 * MINUTE },
  strangers: { freeTries: 10, firstPauseMs: SECOND, maxPauseMs: 15 * MINUTE },
} as const satisfies Record<string, ThrottlePolicy>;

/** Invitations of one team that were refused because their address has an account: each reveals that account. */
export const PROBE_THROTTLE: ThrottlePolicy = { freeTries: 5, firstPauseMs: MINUTE, maxPauseMs: 15 * MINUTE };

/** As stored with a person and in the names of counts. */
export const networkHash = (address: string): string => hashOf(addressKey(address));

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Tries of an account and of a network in the last hour: a person mistypes a password on a new phone this often. */
const NEWCOMER_TRIES = 2;

/** The class of a hash from a new address. Unknown accounts are counted too, so the response time reveals none. */
export const askerAfter = (tries: number): "newcomer" | "stranger" =>
  tries <= NEWCOMER_TRIES ? "newcomer" : "stranger";

export const tooManyTries = (waitMs: number, what = "attempts to sign in"): AppError =>
  new AppError("Request.RateLimited", `Too many ${what}; wait a little before the next one.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });

/** Tries are forgotten after this long without one. */
const MEMORY_MS = 60 * MINUTE;

/** The longest pause is reached before. */
const MAX_DOUBLINGS = 30;

/** How long the next try must wait; 0 when it may come now. */
export const pauseLeft = (state: ThrottleState | null, now: number): number =>
  state && state.expiresAt.getTime() > now ? Math.max(0, state.blockedUntil.getTime() - now) : 0;

/** How often a try was made in the time that is remembered, with the next one. */
export const triesWithNext = (state: ThrottleState | null, now: number): number =>
  (state && state.expiresAt.getTime() > now ? state.tries : 0) + 1;

/** The next try as an update that keeps a paused count. It precedes the outcome of the try, so parallel tries count. */
export function nextTry(policy: ThrottlePolicy, now: number): { $replaceWith: Record<string, unknown> }[] {
  const at = new Date(now);
  const isRemembered = { $gt: ["$expiresAt", at] };
  const isPaused = { $and: [isRemembered, { $gt: ["$blockedUntil", at] }] };
  const pauses = Array.from({ length: policy.freeTries + MAX_DOUBLINGS }, (_, tries) =>
    pauseAfter(tries, policy),
  );
  const pause = { $arrayElemAt: [pauses, { $min: ["$$tries", pauses.length - 1] }] };
  const counted = {
    _id: "$_id",
    tries: "$$tries",
    // Not "until now": a try that began earlier and is counted later must not be refused.
    blockedUntil: { $cond: [{ $gt: [pause, 0] }, { $add: [at, pause] }, new Date(0)] },
    expiresAt: { $add: [at, pause, MEMORY_MS] },
  };
  const tries = { $add: [{ $cond: [isRemembered, "$tries", 0] }, 1] };
  return [{ $replaceWith: { $cond: [isPaused, "$$ROOT", { $let: { vars: { tries }, in: counted } }] } }];
}

export function pauseAfter(tries: number, policy: ThrottlePolicy): number {
  if (tries < policy.freeTries) return 0;
  const doublings = Math.min(tries - policy.freeTries, MAX_DOUBLINGS);
  return Math.min(policy.maxPauseMs, policy.firstPauseMs * 2 ** doublings);
}
