/**
 * A customer's numbers are sealed by the customer's own key, and a field key seals that key. A rotation of the field keys
 * moves one small value, and destroying the customer's key erases the numbers.
 */
import { createFieldCipher, type FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { randomPool } from "../../../shared/sealing/random-pool.ts";
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

function ownCipher(key: Buffer): CustomerCipher {
  const cipher = createFieldCipher([{ id: OWN, key }]);
  // The cipher has a copy outside JavaScript's memory.
  key.fill(0);
  return cipher;
}
