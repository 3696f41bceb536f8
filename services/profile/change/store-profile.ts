/** Stores a new customer so that its outcome is known, also when the database goes away in the middle. */
import { AppError, outcomeUnknown, unavailable, type Violation } from "../../../shared/errors.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { retry } from "../../../shared/retry.ts";
import type { Deps } from "../deps.ts";
import { DuplicateCustomer, DuplicateReference } from "../record/profile.repository.ts";
import type { Profile, StoredProfile } from "../record/profile.types.ts";
import { erasedWithKey } from "./kept-answer.ts";

type StoreDeps = {
  profiles: Pick<Deps["profiles"], "isReachable" | "insert" | "findById" | "idOfReference">;
  erasures: Pick<Deps["erasures"], "isKeySpent">;
  clock: Deps["clock"];
};

/** Shorter than a caller waits. A write that may have happened is retried: its id makes that safe. */
const RETRY = { firstWaitMs: 150, withinMs: 2_500 };

/**
 * Null when this call stored the customer; the stored customer when an earlier try did and only its answer was lost. Fails
 * with Service.Unavailable when nothing was sent to the database, with Service.OutcomeUnknown when it did not answer.
 */
export async function storeProfile(
  deps: StoreDeps,
  profile: StoredProfile,
  limits = RETRY,
): Promise<Profile | null> {
  let wasAsked = false;
  const store = async (): Promise<Profile | null> => {
    // The driver's own errors do not say whether a write had left before.
    if (!deps.profiles.isReachable()) throw new PassingFault("The database is not reachable.");
    // The unique index has no entry of an erased customer any more.
    const [kept] = profile.keptAnswers ?? [];
    if (kept && (await deps.erasures.isKeySpent(profile.partnerId, kept.key, deps.clock.now())))
      throw erasedWithKey();
    wasAsked = true;
    return tryToStore(deps, profile);
  };
  try {
    return await retry(store, { ...limits, isPassing });
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw wasAsked ? outcomeUnknown(error) : unavailable("The database", error);
  }
}

class PassingFault extends Error {
  override name = "PassingFault";
}

const isPassing = (error: unknown): boolean => error instanceof PassingFault || isDatabaseAway(error);

async function tryToStore({ profiles }: StoreDeps, profile: StoredProfile): Promise<Profile | null> {
  try {
    await profiles.insert(profile);
    return null;
  } catch (error) {
    if (error instanceof DuplicateReference) {
      const customerId = await profiles.idOfReference(profile.partnerId, profile.partnerCustomerId);
      if (customerId === null)
        throw new PassingFault("The customer with this reference was erased meanwhile.");
      if (customerId !== profile._id) throw referenceInUse(customerId);
    } else if (!(error instanceof DuplicateCustomer)) throw error;
    const stored = await profiles.findById(profile._id);
    if (!stored) throw new PassingFault("A duplicate of itself is not on a majority yet.");
    if (stored.partnerId !== profile.partnerId) throw new Error("An id was given twice.", { cause: error });
    return stored;
  }
}

function referenceInUse(customerId: string): AppError {
  const code = "Customer.PartnerCustomerIdDuplicate";
  const message = `is in use by the customer ${customerId}`;
  const field = "partnerCustomerId";
  const violation: Violation & { customerId: string } = { field, code, message, customerId };
  return new AppError(code, `${field} ${message}.`, { details: [violation] });
}
