/** A new customer with its people, as it is stored. */

import type { CreateInput } from "../input/profile-input.rules.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import { foldedName } from "../record/text.rules.ts";
import { transition } from "../record/verification.rules.ts";

type NewProfile = {
  customerId: string;
  partnerId: string;
  input: CreateInput;
  people: Person[];
  at: string;
};

export function newProfile({ customerId, partnerId, input, people, at }: NewProfile): Profile {
  const step = transition(null, { kind: "create" });
  if (!("next" in step)) throw new Error("A customer cannot be created in this state.");
  const { business, addresses, financials, partnerCustomerId } = input;
  return {
    _id: customerId,
    partnerId,
    partnerCustomerId,
    ...business,
    companyNameKey: foldedName(business.companyName),
    addresses,
    financials,
    people,
    documents: [],
    ...step.next,
    claim: null,
    submittedAt: at,
    statusChangedAt: at,
    decidedAt: null,
    decision: null,
    changeRequests: [],
    openChangeRequestCount: 0,
    history: [{ status: step.next.verificationStatus, at }],
    version: 1,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
  };
}
