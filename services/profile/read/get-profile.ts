/** Reads one customer; another partner's is refused, whatever is asked of it. */

import { isoTime } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import { isUuid } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import { isPossibleReference } from "../record/list-filter.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { currentState } from "../record/verification.rules.ts";

type ReadDeps = FindDeps & Pick<Deps, "clock">;
type FindDeps = Pick<Deps, "profiles" | "erasures">;

export async function getOwnProfile(
  deps: ReadDeps,
  partnerId: string,
  customerId: unknown,
): Promise<Profile> {
  return currentState(await findOwnProfile(deps, partnerId, customerId), isoTime(deps.clock));
}

/** As it is stored: a claim may have lapsed since. */
export async function findOwnProfile(
  deps: FindDeps,
  partnerId: string,
  customerId: unknown,
): Promise<Profile> {
  const own = isUuid(customerId) ? await deps.profiles.findOwn(partnerId, customerId.toLowerCase()) : null;
  if (own) return own;
  return findProfile(deps, customerId, (owner) => {
    if (owner !== partnerId)
      throw new AppError("Partner.NotAuthorized", "This customer belongs to another partner.");
  });
}

/** `checkOwner` decides before the answer reveals anything, even that the customer was erased. */
export async function findProfile(
  { profiles, erasures }: FindDeps,
  customerId: unknown,
  checkOwner: (partnerId: string) => void = () => {},
): Promise<Profile> {
  const id = isUuid(customerId) ? customerId.toLowerCase() : null;
  const profile = id && (await profiles.findById(id));
  const erased = id && !profile ? await erasures.find(id) : null;
  const found = profile || erased;
  if (!found) throw notFound();
  checkOwner(found.partnerId);
  if (profile) return profile;
  throw new AppError("Customer.Erased", "This customer was erased; only its ids and dates are kept.");
}

export async function getByReference(
  { profiles, clock }: Pick<Deps, "profiles" | "clock">,
  partnerId: string,
  reference: unknown,
): Promise<Profile> {
  const isPossible = typeof reference === "string" && isPossibleReference(reference);
  const profile = isPossible ? await profiles.findByReference(partnerId, reference) : null;
  if (!profile) throw notFound();
  return currentState(profile, isoTime(clock));
}

const notFound = () => new AppError("Customer.NotFound", "There is no such customer.");
