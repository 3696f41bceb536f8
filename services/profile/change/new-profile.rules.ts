/** A new customer with its people, as it is stored. */

import type { CreatedCustomer } from "../../../shared/contract/answers/customer.ts";
import type { CreateInput } from "../input/profile-input.rules.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import { foldedName } from "../record/text.rules.ts";
import { mustTransition } from "../record/verification.rules.ts";

type NewProfile = {
  customerId: string;
  partnerId: string;
  input: CreateInput;
  sealedKey: string;
  people: Person[];
  at: string;
  isTest: boolean;
};

export function newProfile(given: NewProfile): Profile {
  const { customerId, partnerId, input, sealedKey, people, at, isTest } = given;
  const first = mustTransition(null, { kind: "create" });
  const { business, addresses, financials, partnerCustomerId } = input;
  return {
    _id: customerId,
    partnerId,
    partnerCustomerId,
    sealedKey,
    ...business,
    companyNameKey: foldedName(business.companyName),
    addresses,
    financials,
    people,
    documents: [],
    ...first,
    claim: null,
    submittedAt: at,
    statusChangedAt: at,
    decidedAt: null,
    decision: null,
    changeRequests: [],
    openChangeRequestCount: 0,
    history: [{ status: first.verificationStatus, at }],
    version: 1,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
    ...(isTest ? { isTest } : {}),
  };
}

/** A person as an answer names it. */
export const namedUbo = ({ uboId, firstName, lastName, email }: Person): CreatedCustomer["ubos"][number] => ({
  uboId,
  firstName,
  lastName,
  email,
});
