/** Stores a new customer so that its outcome is known, also when the database goes away in the middle. */
import { isDatabaseAway } from "../../../shared/mongo.ts";
import { retry } from "../../../shared/retry.ts";
import type { Deps } from "../deps.ts";
import { DuplicateCustomer, DuplicateReference } from "../record/profile.repository.ts";
import type { Profile, StoredProfile } from "../record/profile.types.ts";

type StoreDeps = { profiles: Pick<Deps["profiles"], "insert" | "findById" | "idOfReference"> };

type Stored =
  | { kind: "created" }
  /** An earlier try did store it; only its answer was lost. */
  | { kind: "createdBefore"; profile: Profile }
  | { kind: "referenceInUse"; customerId: string | null };

/** Shorter than a caller waits. A write that may have happened is tried again: its id makes that safe. */
const RETRY = { firstWaitMs: 150, withinMs: 2_500 };

export const storeProfile = (deps: StoreDeps, profile: StoredProfile, limits = RETRY): Promise<Stored> =>
  retry(() => tryToStore(deps, profile), { ...limits, isPassing: isDatabaseAway });

async function tryToStore({ profiles }: StoreDeps, profile: StoredProfile): Promise<Stored> {
  try {
    await profiles.insert(profile);
    return { kind: "created" };
  } catch (error) {
    if (error instanceof DuplicateReference) {
      const customerId = await profiles.idOfReference(profile.partnerId, profile.partnerCustomerId);
      if (customerId !== profile._id) return { kind: "referenceInUse", customerId };
    } else if (!(error instanceof DuplicateCustomer)) throw error;
    const stored = await profiles.findById(profile._id);
    if (stored?.partnerId !== profile.partnerId) throw new Error("An id was given twice.", { cause: error });
    return { kind: "createdBefore", profile: stored };
  }
}
