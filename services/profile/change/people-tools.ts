/** Seals and opens the people of one customer. */
import { orderedId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import type { Profile } from "../record/profile.types.ts";
import type { PeopleTools } from "./profile-update.rules.ts";
import { openPerson, sealPerson } from "./seal-people.ts";

export const peopleTools = (
  { cipher, clock }: Pick<Deps, "cipher" | "clock">,
  { _id: customerId }: Profile,
  at: string,
): PeopleTools => ({
  seal: (person, uboId) => sealPerson(cipher, person, { customerId, uboId }, at),
  open: (person) => openPerson(cipher, person, customerId),
  newId: () => orderedId(clock.now()),
});
