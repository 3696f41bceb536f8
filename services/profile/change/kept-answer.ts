/** The first answer to a request with an Idempotency-Key, stored in the customer that the request created or changed. */
import { AppError, isAppError, type Violation } from "../../../shared/errors.ts";
import { judgeKey, type KeyedRequest, keyUnderWay } from "../../../shared/idempotency.rules.ts";
import type { Deps } from "../deps.ts";
import type { Warned } from "../input/violations.rules.ts";
import { DuplicateKey } from "../record/profile.repository.ts";
import type { KeptAnswer } from "../record/profile.types.ts";
import { type CustomerCipher, customerCipher } from "./customer-key.ts";

/** Sealed: with the rest of a body readable, its identity numbers could be guessed. */
const placeOf = (customerId: string, key: string) => ({
  collection: "business_profiles",
  recordId: customerId,
  field: `keptAnswers.${key}.fingerprint`,
});

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

type OnceDeps = Pick<Deps, "profiles" | "erasures" | "cipher" | "clock">;

type Once<T> = {
  partnerId: string;
  keyed: KeyedRequest | null;
  /** Stores its answer under the key. Throws DuplicateKey when another request has stored one. */
  work(): Promise<Warned<T>>;
  isLookedUpFirst: boolean;
};

/** Does the work of a keyed request once: the first answer to its key counts, even if the work would be refused now. */
export async function once<T>(
  deps: OnceDeps,
  { partnerId, keyed, work, isLookedUpFirst }: Once<T>,
): Promise<Warned<T>> {
  if (!keyed) return work();
  const first = isLookedUpFirst ? await firstAnswer<T>(deps, partnerId, keyed) : null;
  if (first) return first;
  try {
    return await work();
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    const answer = await firstAnswer<T>(deps, partnerId, keyed);
    if (answer) return answer;
    if (!(refusal instanceof DuplicateKey)) throw refusal;
    // The key is free by now, or its first request is not on a majority yet.
    return work().catch((error) => {
      throw error instanceof DuplicateKey ? keyUnderWay() : error;
    });
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DuplicateKey || (isAppError(error) && error.code < 500);

/** Null when the key may be used. Throws when it belongs to another request, or to an erased customer. */
async function firstAnswer<T>(
  { profiles, erasures, cipher, clock }: OnceDeps,
  partnerId: string,
  { key, fingerprint }: KeyedRequest,
): Promise<Warned<T> | null> {
  const customer = await profiles.findByKey(partnerId, key);
  const kept = customer?.keptAnswers?.find((answer) => answer.key === key);
  if (customer && kept) {
    const own = customerCipher(cipher, customer);
    const first = { at: kept.at, fingerprint: own.open(kept.sealedFingerprint, placeOf(customer._id, key)) };
    if (judgeKey(first, fingerprint, clock.now()) === "replay")
      return { value: kept.value as T, warnings: kept.warnings, isReplay: true };
    await profiles.forgetKey(customer, key);
  }
  if (await erasures.isKeySpent(partnerId, key, clock.now())) throw erasedWithKey();
  return null;
}

/** The answer was erased with its customer. The key is free again after a day. */
export const erasedWithKey = (): AppError =>
  new AppError("Customer.Erased", "The customer of the first request with this Idempotency-Key was erased.");
