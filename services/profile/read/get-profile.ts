/** Reads one customer; another partner's is refused, whatever is asked of it. */

import { isoTime } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import { isUuid } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import { isPossibleReference } from "../record/list-filter.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { currentState } from "../record/verification.rules.ts";

type ReadDeps = Pick<Deps, "profiles" | "clock">;

export async function getOwnProfile(
  deps: ReadDeps,
  partnerId: string,
  customerId: unknown,
): Promise<Profile> {
  return currentState(await findOwnProfile(deps, partnerId, customerId), isoTime(deps.clock));
}

/** As it is stored: a claim may have lapsed since. */
export async function findOwnProfile(
  deps: Pick<Deps, "profiles">,
  partnerId: string,
  customerId: unknown,
): Promise<Profile> {
  const profile = await findProfile(deps, customerId);
  if (profile.partnerId !== partnerId)
    throw new AppError("Partner.NotAuthorized", "This customer belongs to another partner.");
  return profile;
}

export async function findProfile(
  { profiles }: Pick<Deps, "profiles">,
  customerId: unknown,
): Promise<Profile> {
  const profile = isUuid(customerId) ? await profiles.findById(customerId.toLowerCase()) : null;
  if (!profile) throw notFound();
  return profile;
}

export async function getByReference(
  { profiles, clock }: ReadDeps,
  partnerId: string,
  reference: unknown,
): Promise<Profile> {
  const isPossible = typeof reference === "string" && isPossibleReference(reference);
  const profile = isPossible ? await profiles.findByReference(partnerId, reference) : null;
  if (!profile) throw notFound();
  return currentState(profile, isoTime(clock));
}

const notFound = () => new AppError("Customer.NotFound", "There is no such customer.");
