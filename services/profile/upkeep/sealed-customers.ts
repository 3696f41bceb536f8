/** The keys of all customers, for the sweep that moves them to the newest field key. */
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import { resealCustomerKey } from "../change/customer-key.ts";
import type { ProfileRepository, ResealedKey, SealedKey } from "../record/profile.repository.ts";

export const sealedCustomers = (
  profiles: Pick<ProfileRepository, "sealedKeysAfter" | "replaceSealedKeys">,
  cipher: FieldCipher,
): SealedRecords<SealedKey, ResealedKey> => ({
  name: "business_profiles",
  page: profiles.sealedKeysAfter,
  sealedIn: ({ sealedKey }) => (sealedKey === undefined ? [] : [sealedKey]),
  move: (before) =>
    before.sealedKey !== undefined && cipher.isStale(before.sealedKey)
      ? { before, sealedKey: resealCustomerKey(cipher, before._id, before.sealedKey) }
      : null,
  write: profiles.replaceSealedKeys,
});
