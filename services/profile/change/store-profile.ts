/** Stores a new customer so that its outcome is known, also when the database goes away in the middle. */
import { outcomeUnknown, unavailable } from "../../../shared/errors.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { retry } from "../../../shared/retry.ts";
import type { Deps } from "../deps.ts";
import { DuplicateCustomer, DuplicateKey, DuplicateReference } from "../record/profile.repository.ts";
import type { Profile, StoredProfile } from "../record/profile.types.ts";

type StoreDeps = {
  profiles: Pick<Deps["profiles"], "isReachable" | "insert" | "findById" | "idOfReference">;
  erasures: Pick<Deps["erasures"], "isKeySpent">;
  clock: Deps["clock"];
};

type Stored =
  | { kind: "created" }
  /** An earlier try did store it; only its answer was lost. */
  | { kind: "createdBefore"; profile: Profile }
  | { kind: "referenceInUse"; customerId: string }
  | { kind: "keyInUse" }
  /** The key's customer was erased. */
  | { kind: "keySpent" };

/** Shorter than a caller waits. A write that may have happened is tried again: its id makes that safe. */
const RETRY = { firstWaitMs: 150, withinMs: 2_500 };

/** Fails with Service.Unavailable where nothing was asked of the database, with Service.OutcomeUnknown where it did not answer. */
export async function storeProfile(deps: StoreDeps, profile: StoredProfile, limits = RETRY): Promise<Stored> {
  let wasAsked = false;
  const store = async (): Promise<Stored> => {
    // The driver's own errors do not say whether a write had left before.
    if (!deps.profiles.isReachable()) throw new NotReachable();
    // The unique index has no entry of an erased customer any more.
    const [kept] = profile.keptAnswers ?? [];
    if (kept && (await deps.erasures.isKeySpent(profile.partnerId, kept.key, deps.clock.now())))
      return { kind: "keySpent" };
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

class NotReachable extends Error {
  override name = "NotReachable";
}
/** The customer with this reference was erased after it refused the insert. */
class ReferenceFreed extends Error {
  override name = "ReferenceFreed";
}
/** Refused as a duplicate of itself, which is not on a majority yet. */
class NotYetKept extends Error {
  override name = "NotYetKept";
}

const isPassing = (error: unknown): boolean =>
  error instanceof NotReachable ||
  error instanceof ReferenceFreed ||
  error instanceof NotYetKept ||
  isDatabaseAway(error);

async function tryToStore({ profiles }: StoreDeps, profile: StoredProfile): Promise<Stored> {
  try {
    await profiles.insert(profile);
    return { kind: "created" };
  } catch (error) {
    if (error instanceof DuplicateKey) return { kind: "keyInUse" };
    if (error instanceof DuplicateReference) {
      const customerId = await profiles.idOfReference(profile.partnerId, profile.partnerCustomerId);
      if (customerId === null) throw new ReferenceFreed();
      if (customerId !== profile._id) return { kind: "referenceInUse", customerId };
    } else if (!(error instanceof DuplicateCustomer)) throw error;
    const stored = await profiles.findById(profile._id);
    if (!stored) throw new NotYetKept();
    if (stored.partnerId !== profile.partnerId) throw new Error("An id was given twice.", { cause: error });
    return { kind: "createdBefore", profile: stored };
  }
}
