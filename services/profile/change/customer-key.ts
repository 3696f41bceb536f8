/**
 * Each customer's numbers are sealed by a key of the customer's own, and that key by a field key. So a rotation of the field
 * keys moves one small value, and who destroys the key has erased the numbers.
 */
import { createFieldCipher, type FieldCipher, keyIdOf } from "../../../shared/sealing/field-cipher.ts";
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
    cipher: ownCipher(key, fieldCipher),
  };
}

/** A customer of an earlier version has no key of its own until the sweep gives it one; until then field keys seal. */
export function customerCipher(
  fieldCipher: FieldCipher,
  { _id, sealedKey }: Pick<Profile, "_id" | "sealedKey">,
): CustomerCipher {
  if (sealedKey === undefined) return fieldCipher;
  return ownCipher(Buffer.from(fieldCipher.open(sealedKey, keyPlace(_id)), "base64url"), fieldCipher);
}

/** The same key, sealed by the newest field key. */
export const resealCustomerKey = (fieldCipher: FieldCipher, customerId: string, sealedKey: string): string =>
  fieldCipher.seal(fieldCipher.open(sealedKey, keyPlace(customerId)), keyPlace(customerId));

/** False for a value that a field key sealed. */
export const isUnderCustomerKey = (sealed: string): boolean => keyIdOf(sealed) === OWN;

function ownCipher(key: Buffer, fieldCipher: FieldCipher): CustomerCipher {
  const own = createFieldCipher([{ id: OWN, key }]);
  // The cipher has its own copy, out of JavaScript's reach.
  key.fill(0);
  return {
    seal: own.seal,
    open: (sealed, place) => (isUnderCustomerKey(sealed) ? own : fieldCipher).open(sealed, place),
  };
}
