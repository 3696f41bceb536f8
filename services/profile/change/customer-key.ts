/**
 * The customer's own key seals its numbers, and a field key seals that key. A rotation of the field keys moves one small
 * value. Destroying the customer's key erases the numbers.
 */
import { createFieldCipher, type FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import { randomPool } from "../../../shared/sealing/random-pool.ts";
import type { ProfileRepository, ResealedKey, SealedKey } from "../record/profile.repository.ts";
import type { Profile } from "../record/profile.types.ts";

/** Field keys cannot have this id. */
const OWN = "@customer";
const nextKey = randomPool(32);

const keyPlace = (customerId: string) => ({
  collection: "business_profiles",
  recordId: customerId,
  field: "sealedKey",
});

export type CustomerCipher = Pick<FieldCipher, "seal" | "open">;

export function newCustomerKey(
  fieldCipher: FieldCipher,
  customerId: string,
): { sealedKey: string; cipher: CustomerCipher } {
  const key = nextKey();
  return {
    sealedKey: fieldCipher.seal(key.toString("base64url"), keyPlace(customerId)),
    cipher: ownCipher(key),
  };
}

export const customerCipher = (
  fieldCipher: FieldCipher,
  { _id, sealedKey }: Pick<Profile, "_id" | "sealedKey">,
): CustomerCipher => ownCipher(Buffer.from(fieldCipher.open(sealedKey, keyPlace(_id)), "base64url"));

/** The same key, sealed by the newest field key. */
export const resealCustomerKey = (fieldCipher: FieldCipher, customerId: string, sealedKey: string): string =>
  fieldCipher.seal(fieldCipher.open(sealedKey, keyPlace(customerId)), keyPlace(customerId));

/** All customers, for the sweep that moves their keys to the newest field key. */
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

function ownCipher(key: Buffer): CustomerCipher {
  const cipher = createFieldCipher([{ id: OWN, key }]);
  // The cipher has a copy outside JavaScript's memory.
  key.fill(0);
  return cipher;
}
