/** Reads one customer. A customer of another partner is refused in every case. */

import { isoTime } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import { isUuid } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import type { Profile } from "../record/profile.types.ts";
import { PARTNER_CUSTOMER_ID } from "../record/text.rules.ts";
import { currentState } from "../record/verification.rules.ts";

type FindDeps = Pick<Deps, "profiles" | "erasures">;

export async function getOwnProfile(
  deps: FindDeps & Pick<Deps, "clock">,
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
  return findProfile(deps, customerId, partnerId);
}

/** The owner, if given, is checked before the answer reveals anything, even that the customer was erased. */
export async function findProfile(
  { profiles, erasures }: FindDeps,
  customerId: unknown,
  owner?: string,
): Promise<Profile> {
  const id = isUuid(customerId) ? customerId.toLowerCase() : null;
  const profile = id && (await profiles.findById(id));
  const erased = id && !profile ? await erasures.find(id) : null;
  const found = profile || erased;
  if (!found) throw notFound();
  if (owner !== undefined && found.partnerId !== owner)
    throw new AppError("Partner.NotAuthorized", "This customer belongs to another partner.");
  if (profile) return profile;
  throw new AppError("Customer.Erased", "This customer was erased; only its ids and dates are kept.");
}

export async function getByReference(
  { profiles, clock }: Pick<Deps, "profiles" | "clock">,
  partnerId: string,
  reference: unknown,
): Promise<Profile> {
  const isPossible = typeof reference === "string" && PARTNER_CUSTOMER_ID.test(reference);
  const profile = isPossible ? await profiles.findByReference(partnerId, reference) : null;
  if (!profile) throw notFound();
  return currentState(profile, isoTime(clock));
}

const notFound = () => new AppError("Customer.NotFound", "There is no such customer.");
