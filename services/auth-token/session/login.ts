/** Signs a person in: counts the try, checks password and second factor, opens a session. */
import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";
import { addressKey } from "../../../shared/identity/address-key.ts";
import { sessionIdOf } from "../../../shared/identity/session-cookie.ts";
import type { KeyedMutex } from "../../../shared/keyed-mutex.ts";
import type { PasswordHasher } from "../account/password-hash.ts";
import type { User } from "../account/user.model.ts";
import type { UserRepository } from "../account/user.repository.ts";
import { comparedEmail } from "../account/user.rules.ts";
import type { LoginThrottleRepository } from "./login-throttle.repository.ts";
import { THROTTLES, tooManyTries } from "./login-throttle.rules.ts";
import { type SecondFactorDeps, useSecondFactor } from "./second-factor.ts";
import type { Session } from "./session.model.ts";
import type { SessionRepository } from "./session.repository.ts";
import { sessionEnd } from "./session.rules.ts";

export type LoginDeps = SecondFactorDeps & {
  users: UserRepository;
  sessions: SessionRepository;
  throttles: LoginThrottleRepository;
  hasher: PasswordHasher;
  mutex: KeyedMutex;
};

type PasswordTry = { email: string; password: string; address: string };

type LoginAttempt = PasswordTry & {
  /** Of the second factor, or a recovery code. */
  code: string | null;
  /** A session the browser already has; it ends with the new login. */
  formerSessionId: string | null;
};

type NewSession = { session: Session; cookieValue: string };

export async function login(deps: LoginDeps, attempt: LoginAttempt): Promise<NewSession & { user: User }> {
  const { code, password, address } = attempt;
  const user = await withPassword(deps, attempt, async (found) => {
    if (found.secondFactor && code !== null) await useSecondFactor(deps, found, code);
  });
  if (user.secondFactor && code === null)
    throw new AppError("Session.SecondFactorRequired", "Send the code of your authenticator as well.");
  await improveHash(deps, user, password);
  await deps.users.rememberAddress(user._id, hashOf(addressKey(address)));
  if (attempt.formerSessionId) await deps.sessions.remove(attempt.formerSessionId);
  return { user, ...(await openSession(deps, user)) };
}

/**
 * The person whose password it is; whoever is wrong waits longer each time. What else must be right, `andAlso` checks
 * before the try is forgiven. One at a time for a person at an address: right logins in parallel would otherwise count
 * as tries of each other.
 */
export function withPassword(
  deps: LoginDeps,
  { email: given, password, address }: PasswordTry,
  andAlso: (user: User) => Promise<void> = async () => undefined,
): Promise<User> {
  const email = comparedEmail(given);
  const keys = throttleKeys(email, address);
  return deps.mutex(keys.pair, async () => {
    const user = await deps.users.findByEmail(email);
    const isKnownAddress = user?.knownAddresses.includes(keys.addressHash) ?? false;
    await countTry(deps, keys, isKnownAddress);
    const asker = isKnownAddress ? "known" : "stranger";
    const isRight = await deps.hasher.verify(password, user?.passwordHash ?? null, asker);
    if (!isRight || !user || user.disabledAt)
      throw new AppError("Session.InvalidCredentials", "The email or the password is wrong.");
    await andAlso(user);
    await forgiveTry(deps, keys);
    return user;
  });
}

type ThrottleKeys = Record<keyof typeof THROTTLES | "addressHash", string>;

function throttleKeys(email: string, address: string): ThrottleKeys {
  const account = hashOf(email);
  const addressHash = hashOf(addressKey(address));
  return {
    addressHash,
    pair: `pair ${account} ${addressHash}`,
    address: `address ${addressHash}`,
    account: `account ${account}`,
  };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

async function countTry(
  { throttles, clock }: LoginDeps,
  keys: ThrottleKeys,
  isKnownAddress: boolean,
): Promise<void> {
  const now = clock.now();
  for (const name of Object.keys(THROTTLES) as (keyof typeof THROTTLES)[]) {
    const wait = await throttles.countTry(keys[name], THROTTLES[name], now);
    if (wait > 0 && !(name === "account" && isKnownAddress)) throw tooManyTries(wait);
  }
}

async function forgiveTry({ throttles }: LoginDeps, keys: ThrottleKeys): Promise<void> {
  await Promise.all([
    throttles.forget(keys.pair),
    throttles.takeBack(keys.address),
    throttles.takeBack(keys.account),
  ]);
}

async function improveHash({ hasher, users }: LoginDeps, user: User, password: string): Promise<void> {
  if (hasher.isOutdated(user.passwordHash)) await users.rehash(user, await hasher.hash(password));
}

export async function openSession({ clock, sessions }: LoginDeps, user: User): Promise<NewSession> {
  const now = clock.now();
  const cookieValue = randomBytes(32).toString("base64url");
  const session: Session = {
    _id: sessionIdOf(cookieValue),
    userId: user._id,
    partnerId: user.partnerId,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: sessionEnd(now),
  };
  await sessions.insert(session);
  return { session, cookieValue };
}
