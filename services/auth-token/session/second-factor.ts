/** The second factor of a person: set up in a session, required at every login, with recovery codes for a lost phone. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta, Role } from "../../../shared/identity/caller.ts";
import type { FieldCipher, FieldPlace } from "../../../shared/sealing/field-cipher.ts";
import type { AuditTrail } from "../../../shared/stores/audit-trail.repository.ts";
import type { User } from "../account/user.model.ts";
import type { UserRepository } from "../account/user.repository.ts";
import type { LoginThrottleRepository } from "./login-throttle.repository.ts";
import { CODE_THROTTLES, type ThrottlePolicy, tooManyTries } from "./login-throttle.rules.ts";
import { networkHash } from "./network-hash.ts";
import { ownFact } from "./own-fact.ts";
import { endOthers } from "./own-sessions.ts";
import type { SessionRepository } from "./session.repository.ts";
import { base32, isCode, otpauthUri, stepOfCode } from "./totp.rules.ts";

export type SecondFactorDeps = {
  clock: Clock;
  cipher: FieldCipher;
  users: UserRepository;
  sessions: Pick<SessionRepository, "follow" | "removeOfUser">;
  throttles: Pick<LoginThrottleRepository, "countTry" | "forget" | "takeBack">;
  config: Pick<Config, "secondFactorFor">;
};

/** As long as the key of SHA-1's HMAC, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 20;
const ISSUER = "Partner Onboarding";

const ROLES_OF: Record<Config["secondFactorFor"], readonly Role[]> = {
  none: [],
  analysts: ["Analyst"],
  "analysts-and-owners": ["Analyst", "Owner"],
};

export const needsSecondFactor = ({ secondFactorFor }: SecondFactorDeps["config"], role: Role): boolean =>
  ROLES_OF[secondFactorFor].includes(role);

/** A new secret, in force once a code of it was shown. Until then the one before stays, and its code is asked for. */
export async function beginSecondFactor(deps: SecondFactorDeps, user: User, given: CodeTry) {
  await proveSecondFactor(deps, user, given);
  const { users, cipher } = deps;
  const bytes = randomBytes(SECRET_BYTES);
  await users.beginSecondFactor(user._id, cipher.seal(bytes.toString("base64"), secondFactorPlace(user._id)));
  const secret = base32(bytes);
  return { secret, uri: otpauthUri(ISSUER, user.email, secret) };
}

/** Answers the recovery codes, which are shown only this once. Other sessions were opened without it and end. */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  user: User,
  code: string,
  sessionId: string,
) {
  const sealed = user.pendingSecondFactor;
  if (!sealed) throw new AppError("Session.SecondFactorInvalid", "Begin the set-up first.");
  const now = deps.clock.now();
  const usedUpTo = stepOfCode(secretOf(deps, user._id, sealed), code, now, 0);
  if (usedUpTo === null) throw wrongCode();
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const recoveryHashes = recoveryCodes.map(hashOf);
  const factor = { sealed, since: new Date(now), usedUpTo, recoveryHashes };
  const version = await deps.users.confirmSecondFactor(user._id, factor);
  if (version === null) throw wrongCode();
  await endOthers(deps, { userId: user._id, sessionId }, version);
  return { recoveryCodes };
}

/** The other sessions of the person end. The try of the code stays counted even if the change is refused. */
export async function removeOwnSecondFactor(
  deps: SecondFactorDeps & { audit: AuditTrail },
  meta: CallMeta,
  { user, sessionId, given }: { user: User; sessionId: string; given: CodeTry },
): Promise<void> {
  if (needsSecondFactor(deps.config, user.role))
    throw new AppError(
      "Session.SecondFactorMissing",
      "Your role needs a second factor; set up another instead.",
    );
  await proveSecondFactor(deps, user, given);
  await deps.audit.change(meta, async () => {
    const version = await deps.users.removeSecondFactor(user._id);
    const value = await endOthers(deps, { userId: user._id, sessionId }, version);
    return { value, fact: ownFact("second_factor.removed", user) };
  });
}

/** A given code and the address of the request. */
export type CodeTry = { code: string | null; address: string };

/**
 * Throws unless the code is one of the factor in force; a person without a factor needs none. A stranger who knows the
 * password pauses strangers only: a network that the person signed in from has a count of its own.
 */
export async function proveSecondFactor(
  deps: SecondFactorDeps,
  user: User,
  { code, address }: CodeTry,
): Promise<void> {
  if (!user.secondFactor) return;
  if (code === null) throw codeMissing();
  const network = networkHash(address);
  const pair = `code ${user._id} ${network}`;
  const strangers = user.knownAddresses.includes(network) ? null : `code ${user._id}`;
  await countCode(deps, pair, CODE_THROTTLES.pair);
  if (strangers) await countCode(deps, strangers, CODE_THROTTLES.strangers);
  const isRight = isCode(code) ? await useCode(deps, user, code) : await useRecoveryCode(deps, user, code);
  if (!isRight) throw wrongCode();
  await deps.throttles.forget(pair);
  if (strangers) await deps.throttles.takeBack(strangers);
}

async function countCode({ throttles, clock }: SecondFactorDeps, key: string, policy: ThrottlePolicy) {
  const { wait } = await throttles.countTry(key, policy, clock.now());
  if (wait > 0) throw tooManyTries(wait);
}

async function useCode(deps: SecondFactorDeps, { _id, secondFactor }: User, code: string): Promise<boolean> {
  if (!secondFactor) return false;
  const secret = secretOf(deps, _id, secondFactor.sealed);
  const step = stepOfCode(secret, code, deps.clock.now(), secondFactor.usedUpTo);
  return step !== null && (await deps.users.useStep(_id, step));
}

const useRecoveryCode = ({ users }: SecondFactorDeps, { _id }: User, code: string): Promise<boolean> =>
  users.useRecoveryCode(_id, hashOf(code));

/** Bound to the person, so that a copy in another record does not open. */
export const secondFactorPlace = (userId: string): FieldPlace => ({
  collection: "users",
  recordId: userId,
  field: "secondFactor",
});

const secretOf = ({ cipher }: Pick<SecondFactorDeps, "cipher">, userId: string, sealed: string): Buffer =>
  Buffer.from(cipher.open(sealed, secondFactorPlace(userId)), "base64");

const newRecoveryCode = (): string => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join("-");

/** Its random bits need no slow hash. Case and dashes do not matter. */
const hashOf = (code: string): string =>
  createHash("sha256").update(code.toUpperCase().replaceAll(/[\s-]/g, "")).digest("base64url");

export const codeMissing = (): AppError =>
  new AppError("Session.SecondFactorRequired", "Send the code of your authenticator as well.");

const wrongCode = (): AppError =>
  new AppError("Session.SecondFactorInvalid", "The code is wrong, or was used before.");
