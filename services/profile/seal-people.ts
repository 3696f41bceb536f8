/** Encrypts what must not lie readable in the database; the place of a value is part of its seal. */
import type { FieldCipher } from "../../shared/field-cipher.ts";
import type { Identity, Person, PersonInput, SealedText } from "./profile.types.ts";
import { lastFourOf } from "./text.rules.ts";

export type PersonPlace = { customerId: string; uboId: string };

const COLLECTION = "business_profiles";

const place = ({ customerId, uboId }: PersonPlace, field: string) => ({
  collection: COLLECTION,
  recordId: customerId,
  field: `people.${uboId}.${field}`,
});

const seal = (cipher: FieldCipher, value: string, where: PersonPlace, field: string): SealedText => ({
  sealed: cipher.seal(value, place(where, field)),
  lastFour: lastFourOf(value),
});

export function sealPerson(cipher: FieldCipher, input: PersonInput, where: PersonPlace, at: string): Person {
  const { uboId: _given, taxIdentificationNumber: tax, identities, ...facts } = input;
  return {
    ...facts,
    uboId: where.uboId,
    addedAt: at,
    removedAt: null,
    taxIdentificationNumber: tax === null ? null : seal(cipher, tax, where, "taxIdentificationNumber"),
    identities: identities.map(
      ({ identityValue, ...identity }, index): Identity => ({
        ...identity,
        identityValue: seal(cipher, identityValue, where, `identities.${index}.identityValue`),
      }),
    ),
  };
}

/** The person as it was sent, to compare it with what is sent now. */
export function openPerson(cipher: FieldCipher, person: Person, customerId: string): PersonInput {
  const { addedAt: _added, removedAt: _removed, taxIdentificationNumber: tax, identities, ...facts } = person;
  const open = (text: SealedText, field: string) =>
    cipher.open(text.sealed, place({ customerId, uboId: person.uboId }, field));
  return {
    ...facts,
    taxIdentificationNumber: tax === null ? null : open(tax, "taxIdentificationNumber"),
    identities: identities.map(({ identityValue, ...identity }, index) => ({
      ...identity,
      identityValue: open(identityValue, `identities.${index}.identityValue`),
    })),
  };
}
