/** The second factor of a person: set up in a session, required at every login, with recovery codes for a lost phone. */
import { createHash, randomBytes } from "node:crypto";
import type { Config } from "../../../shared/config/config.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta, Role } from "../../../shared/identity/caller.ts";
import type { FieldCipher, FieldPlace } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import type { User } from "../account/user.model.ts";
import type { SealedFactors } from "../account/user.repository.ts";
import type { Deps } from "../deps.ts";
import { CODE_THROTTLES, networkHash, type ThrottlePolicy, tooManyTries } from "./login-throttle.rules.ts";
import { ownFact } from "./own-account.ts";
import { endOthers } from "./own-sessions.ts";
import { base32, isCode, otpauthUri, stepOfCode } from "./totp.rules.ts";

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

export const needsSecondFactor = (
  { secondFactorFor }: Pick<Config, "secondFactorFor">,
  role: Role,
): boolean => ROLES_OF[secondFactorFor].includes(role);

/** A new secret, in force once a code of it was shown. Until then the one before stays, and its code is asked for. */
export async function beginSecondFactor(deps: Deps, user: User, given: CodeTry) {
  await proveSecondFactor(deps, user, given);
  const { users, cipher } = deps;
  const bytes = randomBytes(SECRET_BYTES);
  await users.beginSecondFactor(user._id, cipher.seal(bytes.toString("base64"), secondFactorPlace(user._id)));
  const secret = base32(bytes);
  return { secret, uri: otpauthUri(ISSUER, user.email, secret) };
}

/** Answers the recovery codes, which are shown only this once. Other sessions were opened without it and end. */
export async function confirmSecondFactor(deps: Deps, user: User, code: string, sessionId: string) {
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
  deps: Deps,
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

/** A person without a factor needs no code. A stranger with the password pauses strangers only, not usual networks. */
export async function proveSecondFactor(deps: Deps, user: User, { code, address }: CodeTry): Promise<void> {
  if (!user.secondFactor) return;
  if (code === null) throw codeMissing();
  const network = networkHash(address);
  const pair = `code ${user._id} ${network}`;
  const strangers = user.knownAddresses.includes(network) ? null : `code ${user._id}`;
  await countCode(deps, pair, CODE_THROTTLES.pair);
  if (strangers) await countCode(deps, strangers, CODE_THROTTLES.strangers);
  const isRight = isCode(code)
    ? await useCode(deps, user, code)
    : await deps.users.useRecoveryCode(user._id, hashOf(code));
  if (!isRight) throw wrongCode();
  await deps.throttles.forget(pair);
  if (strangers) await deps.throttles.takeBack(strangers);
}

async function countCode({ throttles, clock }: Deps, key: string, policy: ThrottlePolicy) {
  const { wait } = await throttles.countTry(key, policy, clock.now());
  if (wait > 0) throw tooManyTries(wait);
}

async function useCode(deps: Deps, { _id, secondFactor }: User, code: string): Promise<boolean> {
  if (!secondFactor) return false;
  const secret = secretOf(deps, _id, secondFactor.sealed);
  const step = stepOfCode(secret, code, deps.clock.now(), secondFactor.usedUpTo);
  return step !== null && (await deps.users.useStep(_id, step));
}

/** Bound to the person, so that a copy in another record does not open. */
const secondFactorPlace = (userId: string): FieldPlace => ({
  collection: "users",
  recordId: userId,
  field: "secondFactor",
});

const secretOf = ({ cipher }: Deps, userId: string, sealed: string): Buffer =>
  Buffer.from(cipher.open(sealed, secondFactorPlace(userId)), "base64");

/** For the sweep that moves the secrets to the newest field key. */
export function sealedSecondFactors(
  users: Deps["users"],
  cipher: FieldCipher,
): SealedRecords<User, { userId: string; before: SealedFactors; after: SealedFactors }> {
  const resealed = (userId: string, sealed: string): string => {
    const place = secondFactorPlace(userId);
    return cipher.isStale(sealed) ? cipher.seal(cipher.open(sealed, place), place) : sealed;
  };
  return {
    name: "users",
    page: users.pageWithFactor,
    sealedIn: (user) => Object.values(sealedOf(user)),
    move(user) {
      const before = sealedOf(user);
      if (!Object.values(before).some(cipher.isStale)) return null;
      const after = Object.fromEntries(
        Object.entries(before).map(([field, sealed]) => [field, resealed(user._id, sealed)]),
      );
      return { userId: user._id, before, after };
    },
    write: users.replaceSealed,
  };
}

/** The current secret and a pending one, by field. */
const sealedOf = ({ secondFactor, pendingSecondFactor }: User): SealedFactors => ({
  ...(secondFactor ? { "secondFactor.sealed": secondFactor.sealed } : {}),
  ...(pendingSecondFactor ? { pendingSecondFactor } : {}),
});

const newRecoveryCode = (): string => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join("-");

/** Its random bits need no slow hash. Case and dashes do not matter. */
const hashOf = (code: string): string =>
  createHash("sha256").update(code.toUpperCase().replaceAll(/[\s-]/g, "")).digest("base64url");

export const codeMissing = (): AppError =>
  new AppError("Session.SecondFactorRequired", "Send the code of your authenticator as well.");

const wrongCode = (): AppError =>
  new AppError("Session.SecondFactorInvalid", "The code is wrong, or was used before.");
