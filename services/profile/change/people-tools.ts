/** Seals and opens the people of one customer. */
import { orderedId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import type { Profile } from "../record/profile.types.ts";
import { type CustomerCipher, customerCipher } from "./customer-key.ts";
import type { PeopleTools } from "./profile-update.rules.ts";
import { openPerson, sealPerson } from "./seal-people.ts";

export const peopleTools = (
  { cipher, clock }: Pick<Deps, "cipher" | "clock">,
  profile: Profile,
  at: string,
): PeopleTools => {
  const { _id: customerId } = profile;
  // Most changes seal and open nobody.
  let own: CustomerCipher | null = null;
  const cipherOf = () => {
    own ??= customerCipher(cipher, profile);
    return own;
  };
  return {
    seal: (person, uboId) => sealPerson(cipherOf(), person, { customerId, uboId }, at),
    open: (person) => openPerson(cipherOf(), person, customerId),
    newId: () => orderedId(clock.now()),
  };
};
