/** Stores a new customer so that its outcome is known, also when the database goes away in the middle. */
import type { Clock } from "../../../shared/clock.ts";
import { isDatabaseAway } from "../../../shared/mongo.ts";
import type { Parts } from "../deps.ts";
import { DuplicateCustomer, DuplicateReference } from "../record/profile.repository.ts";
import type { Profile, StoredProfile } from "../record/profile.types.ts";

type Deps = { profiles: Pick<Parts["profiles"], "insert" | "findById" | "idOfReference">; clock: Clock };

export type Stored =
  | { kind: "created" }
  /** An earlier try did store it; only its answer was lost. */
  | { kind: "createdBefore"; profile: Profile }
  | { kind: "referenceInUse"; customerId: string | null };

/** Shorter than a caller waits. A write that may have happened is tried again: its id makes that safe. */
const GIVE_UP_MS = 2_500;
const PAUSE_MS = 150;

export async function storeProfile(deps: Deps, profile: StoredProfile): Promise<Stored> {
  const deadline = deps.clock.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await tryToStore(deps, profile);
    } catch (error) {
      if (!isDatabaseAway(error) || deps.clock.now() + PAUSE_MS > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function tryToStore({ profiles }: Deps, profile: StoredProfile): Promise<Stored> {
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
