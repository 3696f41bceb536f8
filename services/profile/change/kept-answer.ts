/** The first answer to a request with an Idempotency-Key, kept in the customer that the request made or changed. */
import { AppError, type Violation } from "../../../shared/errors.ts";
import { judgeKey } from "../../../shared/idempotency.rules.ts";
import type { Deps } from "../deps.ts";
import type { KeptAnswer, Profile } from "../record/profile.types.ts";
import { type CustomerCipher, customerCipher } from "./customer-key.ts";
import type { Warned } from "./warned.ts";

/** Sealed, because whoever knows the rest of a body could find its identity numbers by trying. */
const placeOf = (customerId: string, key: string) => ({
  collection: "business_profiles",
  recordId: customerId,
  field: `keptAnswers.${key}.fingerprint`,
});

export type KeyedRequest = { key: string; fingerprint: string };

export const keptAnswer = (
  cipher: CustomerCipher,
  customerId: string,
  { key, fingerprint }: KeyedRequest,
  { value, warnings }: Warned<unknown>,
  at: string,
): KeptAnswer => ({
  key,
  at,
  sealedFingerprint: cipher.seal(fingerprint, placeOf(customerId, key)),
  value,
  warnings: warnings as Violation[],
});

/** `expired` when the key may be used again; null when the customer has no answer to it. Throws when it is another request's. */
export function answerToKey<T>(
  { cipher, clock }: Pick<Deps, "cipher" | "clock">,
  profile: Profile,
  { key, fingerprint }: KeyedRequest,
): Warned<T> | "expired" | null {
  const kept = profile.keptAnswers?.find((answer) => answer.key === key);
  if (!kept) return null;
  const own = customerCipher(cipher, profile);
  const first = { at: kept.at, fingerprint: own.open(kept.sealedFingerprint, placeOf(profile._id, key)) };
  if (judgeKey(first, fingerprint, clock.now()) === "expired") return "expired";
  return { value: kept.value as T, warnings: kept.warnings, isReplay: true };
}

type FirstDeps = Pick<Deps, "profiles" | "erasures" | "cipher" | "clock">;

/** Stored response of this key, or null when the key is unused. */
export async function firstAnswer<T>(
  deps: FirstDeps,
  partnerId: string,
  keyed: KeyedRequest,
): Promise<Warned<T> | null> {
  const customer = await deps.profiles.findByKey(partnerId, keyed.key);
  const answer = customer && answerToKey<T>(deps, customer, keyed);
  if (answer && answer !== "expired") return answer;
  if (customer && answer) await deps.profiles.forgetKey(customer, keyed.key);
  if (await deps.erasures.isKeySpent(partnerId, keyed.key, deps.clock.now())) throw erasedWithKey();
  return null;
}

/** The answer was erased with its customer; the key names that request all the same. */
export const erasedWithKey = (): AppError =>
  new AppError("Customer.Erased", "The customer of the first request with this Idempotency-Key was erased.");
