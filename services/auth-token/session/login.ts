/** Signs a person in: counts the try, checks password and second factor, opens a session. */
import { randomBytes } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";
import type { Caller, CallMeta } from "../../../shared/identity/caller.ts";
import { sessionIdOf } from "../../../shared/identity/session-cookie.ts";
import type { Asker } from "../account/password-hash.ts";
import type { User } from "../account/user.model.ts";
import { comparedEmail } from "../account/user.rules.ts";
import type { Deps } from "../deps.ts";
import { askerAfter, hashOf, networkHash, THROTTLES, tooManyTries } from "./login-throttle.rules.ts";
import { ownFact } from "./own-account.ts";
import { codeMissing, proveSecondFactor } from "./second-factor.ts";
import type { Session } from "./session.model.ts";
import { sessionEnd } from "./session.rules.ts";

type CredentialTry = {
  email: string;
  password: string;
  address: string;
  /** Code of the second factor, or a recovery code. */
  code: string | null;
};

type LoginAttempt = CredentialTry & {
  /** A session the browser already has; it ends with the new login. */
  formerSessionId: string | null;
  userAgent: string | null;
};

type NewSession = { session: Session; cookieValue: string };

/** The session and its audit entry are one transaction. */
export async function login(
  deps: Deps,
  meta: Partial<CallMeta>,
  attempt: LoginAttempt,
): Promise<NewSession & { user: User }> {
  const user = await withCredentials(deps, attempt);
  if (deps.hasher.isOutdated(user.passwordHash))
    await deps.users.rehash(user, await deps.hasher.hash(attempt.password));
  const network = networkHash(attempt.address);
  await deps.users.rememberAddress(user._id, network);
  const made = newSession(user, deps.clock.now());
  const after = {
    userAgent: attempt.userAgent,
    isNewNetwork: !user.knownAddresses.includes(network),
    withSecondFactor: Boolean(user.secondFactor),
  };
  return deps.audit.change({ ...meta, caller: callerOf(user) }, async () => {
    if (attempt.formerSessionId) await deps.sessions.remove(attempt.formerSessionId);
    await deps.sessions.insert(made.session);
    return { value: { user, ...made }, fact: { ...ownFact("session.opened", user), after } };
  });
}

const callerOf = ({ _id: userId, email, role, partnerId }: User): Caller =>
  partnerId === null ? { kind: "analyst", userId, email } : { kind: "user", userId, email, role, partnerId };

/** The person with these credentials, after the code of the current second factor was checked. */
export async function withCredentials(deps: Deps, given: CredentialTry): Promise<User> {
  const user = await withPassword(deps, given, async (found) => {
    if (given.code !== null) await proveSecondFactor(deps, found, given);
  });
  // The password is right, so asking for the code is no failed try.
  if (user.secondFactor && given.code === null) throw codeMissing();
  return user;
}

/** `andAlso` runs before the try is forgiven. Tries of a person at an address are serial: correct ones would count. */
function withPassword(
  deps: Deps,
  { email: given, password, address }: CredentialTry,
  andAlso: (user: User) => Promise<void>,
): Promise<User> {
  const email = comparedEmail(given);
  const keys = throttleKeys(email, address);
  return deps.mutex(keys.pair, async () => {
    const user = await deps.users.findByEmail(email);
    const isKnownAddress = user?.knownAddresses.includes(keys.addressHash) ?? false;
    const asker = await countTry(deps, keys, isKnownAddress);
    const isRight = await deps.hasher.verify(password, user?.passwordHash ?? null, asker);
    if (!isRight || !user || user.disabledAt) throw wrongCredentials();
    await andAlso(user);
    await forgiveTry(deps, keys);
    return user;
  });
}

export const wrongCredentials = () =>
  new AppError("Session.InvalidCredentials", "The email or the password is wrong.");

type ThrottleKeys = Record<keyof typeof THROTTLES | "addressHash", string>;

function throttleKeys(email: string, address: string): ThrottleKeys {
  const account = hashOf(email);
  const addressHash = networkHash(address);
  return {
    addressHash,
    pair: `pair ${account} ${addressHash}`,
    address: `address ${addressHash}`,
    account: `account ${account}`,
  };
}

/** Throws during a pause; answers the priority class of the hash. */
async function countTry(
  { throttles, clock }: Deps,
  keys: ThrottleKeys,
  isKnownAddress: boolean,
): Promise<Asker> {
  const now = clock.now();
  const tries: number[] = [];
  for (const name of Object.keys(THROTTLES) as (keyof typeof THROTTLES)[]) {
    const counted = await throttles.countTry(keys[name], THROTTLES[name], now);
    if (counted.wait > 0 && !(name === "account" && isKnownAddress)) throw tooManyTries(counted.wait);
    tries.push(counted.tries);
  }
  return isKnownAddress ? "known" : askerAfter(Math.max(...tries));
}

async function forgiveTry({ throttles }: Deps, keys: ThrottleKeys): Promise<void> {
  await Promise.all([
    throttles.forget(keys.pair),
    throttles.takeBack(keys.address),
    throttles.takeBack(keys.account),
  ]);
}

/** The user is as read when the credentials were checked: a later change of them ends the session. */
export function newSession(user: User, now: number, signedInAt = now): NewSession {
  const cookieValue = randomBytes(32).toString("base64url");
  const session: Session = {
    _id: sessionIdOf(cookieValue),
    userId: user._id,
    partnerId: user.partnerId,
    createdAt: new Date(signedInAt),
    credentialVersion: user.credentialVersion,
    lastSeenAt: new Date(now),
    expiresAt: sessionEnd(signedInAt),
  };
  return { session, cookieValue };
}
