/** A new customer with its people, as it is stored. */

import type { CreatedCustomer } from "../../../shared/contract/answers/customer.ts";
import type { CreateInput } from "../input/profile-input.rules.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import { foldedName } from "../record/text.rules.ts";
import { QUEUED } from "../record/verification.rules.ts";

type Given = Pick<Profile, "partnerId" | "sealedKey" | "people"> & {
  customerId: string;
  input: CreateInput;
  at: string;
  isTest: boolean;
};

export function newProfile(given: Given): Profile {
  const { customerId, partnerId, input, sealedKey, people, at, isTest } = given;
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
    ...QUEUED,
    claim: null,
    submittedAt: at,
    statusChangedAt: at,
    decidedAt: null,
    decision: null,
    changeRequests: [],
    openChangeRequestCount: 0,
    history: [{ status: QUEUED.verificationStatus, at }],
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
