/** A partner's update of its own customer: what was asked, and by what it is judged. */
import type { Deps } from "../deps.ts";
import type { PeopleContext } from "../input/people.rules.ts";
import { findOwnProfile } from "../read/get-profile.ts";
import type { Profile } from "../record/profile.types.ts";
import { dayOf } from "../record/text.rules.ts";
import { changeProfile, type Decided } from "./change-profile.ts";
import type { CallOrigin } from "./origin.ts";

export type UpdateCall = {
  partnerId: string;
  customerId: string;
  body: unknown;
  isStrict: boolean;
  ifMatch: string | null;
  origin: CallOrigin;
};

/** Asked again when somebody else was faster. */
type Decide<T> = (profile: Profile, at: string, context: PeopleContext) => Promise<Decided<T>> | Decided<T>;

export function updateOwn<T>(deps: Deps, call: UpdateCall, decide: Decide<T>): Promise<T> {
  const { partnerId, customerId, origin, isStrict } = call;
  const context = { countries: deps.countries.directory(), today: dayOf(deps.clock.now()), isStrict };
  return changeProfile(deps, {
    customerId,
    origin,
    read: () => findOwnProfile(deps, partnerId, customerId),
    decide: (profile, at) => decide(profile, at, context),
  });
}
