/** Signs a person in: counts the try, checks the password, opens a session. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import { addressKey } from "../../../shared/identity/address-key.ts";
import { sessionIdOf } from "../../../shared/identity/session-cookie.ts";
import type { KeyedMutex } from "../../../shared/keyed-mutex.ts";
import type { PasswordHasher } from "../account/password-hash.ts";
import type { User } from "../account/user.model.ts";
import type { UserRepository } from "../account/user.repository.ts";
import type { LoginThrottleRepository } from "./login-throttle.repository.ts";
import { THROTTLES } from "./login-throttle.rules.ts";
import type { Session } from "./session.model.ts";
import type { SessionRepository } from "./session.repository.ts";
import { sessionEnd } from "./session.rules.ts";

type LoginDeps = {
  clock: Clock;
  users: Pick<UserRepository, "findByEmail" | "rehash" | "rememberAddress">;
  sessions: Pick<SessionRepository, "insert" | "remove">;
  throttles: LoginThrottleRepository;
  hasher: PasswordHasher;
  mutex: KeyedMutex;
};

type LoginAttempt = {
  email: string;
  password: string;
  address: string;
  /** A session the browser already has; it ends with the new login. */
  formerSessionId: string | null;
};

type LoginResult = { user: User; session: Session; cookieValue: string };

export async function login(deps: LoginDeps, attempt: LoginAttempt): Promise<LoginResult> {
  const email = attempt.email.toLowerCase();
  const keys = throttleKeys(email, attempt.address);
  const user = await deps.mutex(keys.pair, () => authenticate(deps, email, keys, attempt));
  await improveHash(deps, user, attempt.password);
  await deps.users.rememberAddress(user._id, keys.addressHash);
  if (attempt.formerSessionId) await deps.sessions.remove(attempt.formerSessionId);
  return { user, ...(await openSession(deps, user)) };
}

/** One at a time for a person at an address: right logins in parallel would otherwise count as tries of each other. */
async function authenticate(
  deps: LoginDeps,
  email: string,
  keys: ThrottleKeys,
  { password }: LoginAttempt,
): Promise<User> {
  const user = await deps.users.findByEmail(email);
  const isKnownAddress = user?.knownAddresses.includes(keys.addressHash) ?? false;
  await countTry(deps, keys, isKnownAddress);
  const asker = isKnownAddress ? "known" : "stranger";
  const isRight = await deps.hasher.verify(password, user?.passwordHash ?? null, asker);
  if (!isRight || !user || user.disabledAt)
    throw new AppError("Session.InvalidCredentials", "The email or the password is wrong.");
  await forgiveTry(deps, keys);
  return user;
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
    if (wait > 0 && !(name === "account" && isKnownAddress)) throw tooMany(wait);
  }
}

const tooMany = (waitMs: number): AppError =>
  new AppError("Request.RateLimited", "Too many attempts to sign in; wait a little before the next one.", {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });

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

async function openSession({ clock, sessions }: LoginDeps, user: User) {
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
