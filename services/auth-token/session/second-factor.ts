/** The second factor of a person: set up in a session, asked for at every login, with codes for the day the phone is lost. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Role } from "../../../shared/identity/caller.ts";
import type { FieldCipher, FieldPlace } from "../../../shared/sealing/field-cipher.ts";
import type { User } from "../account/user.model.ts";
import type { UserRepository } from "../account/user.repository.ts";
import type { LoginThrottleRepository } from "./login-throttle.repository.ts";
import { CODE_THROTTLE, tooManyTries } from "./login-throttle.rules.ts";
import type { SessionRepository } from "./session.repository.ts";
import { base32, isCode, otpauthUri, stepOfCode } from "./totp.rules.ts";

export type SecondFactorDeps = {
  clock: Clock;
  cipher: FieldCipher;
  users: UserRepository;
  sessions: Pick<SessionRepository, "removeOfUser">;
  throttles: Pick<LoginThrottleRepository, "countTry" | "forget">;
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

/** A secret of its own, in force once a code of it was shown; until then the one before stays. */
export async function beginSecondFactor(
  { users, cipher }: Pick<SecondFactorDeps, "users" | "cipher">,
  user: User,
) {
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
  if (!(await deps.users.confirmSecondFactor(user._id, factor))) throw wrongCode();
  await deps.sessions.removeOfUser(user._id, sessionId);
  return { recoveryCodes };
}

/** Of a person who is signed in, whose other sessions end; an operator may do it for anybody. */
export async function removeOwnSecondFactor(
  deps: SecondFactorDeps,
  user: User,
  sessionId: string,
): Promise<void> {
  if (needsSecondFactor(deps.config, user.role))
    throw new AppError(
      "Session.SecondFactorMissing",
      "Your role needs a second factor; set up another instead.",
    );
  await deps.users.removeSecondFactor(user._id);
  await deps.sessions.removeOfUser(user._id, sessionId);
}

/** Throws unless the code is right; whoever gets here knows the password, so the count hinders nobody else. */
export async function useSecondFactor(deps: SecondFactorDeps, user: User, given: string): Promise<void> {
  if (!user.secondFactor) return;
  const key = `code ${user._id}`;
  const wait = await deps.throttles.countTry(key, CODE_THROTTLE, deps.clock.now());
  if (wait > 0) throw tooManyTries(wait);
  const isRight = isCode(given) ? await useCode(deps, user, given) : await useRecoveryCode(deps, user, given);
  if (!isRight) throw wrongCode();
  await deps.throttles.forget(key);
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

/** So many random bits need no slow hash. Written in any case, with or without the dashes. */
const hashOf = (code: string): string =>
  createHash("sha256").update(code.toUpperCase().replaceAll(/[\s-]/g, "")).digest("base64url");

const wrongCode = (): AppError =>
  new AppError("Session.SecondFactorInvalid", "The code is wrong, or was used before.");
