/** The keys of all customers, for the sweep that moves them to the newest field key; it gives a key to who has none. */
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import {
  customerCipher,
  isUnderCustomerKey,
  newCustomerKey,
  resealCustomerKey,
} from "../change/customer-key.ts";
import { resealNumbers } from "../change/seal-people.ts";
import type { ProfileRepository, SealedAnew, SealedParts } from "../record/profile.repository.ts";

export const sealedCustomers = (
  profiles: Pick<ProfileRepository, "pageAfter" | "replaceSealed">,
  cipher: FieldCipher,
): SealedRecords<SealedParts, SealedAnew> => ({
  name: "business_profiles",
  page: profiles.pageAfter,
  sealedIn: ({ sealedKey, people = [] }) => [
    ...(sealedKey === undefined ? [] : [sealedKey]),
    ...people.map(({ sealedNumbers }) => sealedNumbers).filter((sealed) => !isUnderCustomerKey(sealed)),
  ],
  move: (customer) => sealedAnew(cipher, customer),
  write: profiles.replaceSealed,
});

function sealedAnew(cipher: FieldCipher, customer: SealedParts): SealedAnew | null {
  const { _id, sealedKey, people } = customer;
  if (!people) return null;
  const isKeyMoved = sealedKey === undefined || cipher.isStale(sealedKey);
  const isForeign = people.map(({ sealedNumbers }) => !isUnderCustomerKey(sealedNumbers));
  if (!isKeyMoved && !isForeign.includes(true)) return null;
  const key =
    sealedKey === undefined
      ? newCustomerKey(cipher, _id)
      : { sealedKey: resealCustomerKey(cipher, _id, sealedKey), cipher: customerCipher(cipher, customer) };
  const numbers = people.flatMap(({ uboId, sealedNumbers }, index) =>
    isForeign[index]
      ? [[index, resealNumbers(key.cipher, sealedNumbers, { customerId: _id, uboId })] as const]
      : [],
  );
  return { before: customer, sealedKey: key.sealedKey, numbers: new Map(numbers) };
}
