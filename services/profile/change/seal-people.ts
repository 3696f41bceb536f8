/** Encrypts the numbers of people; a sealed value opens only in the place it was made for. */
import { orderedId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import type { Person, PersonInput, Profile } from "../record/profile.types.ts";
import { lastFourOf } from "../record/text.rules.ts";
import { type CustomerCipher, customerCipher } from "./customer-key.ts";
import type { PeopleTools } from "./profile-update.rules.ts";

type PersonPlace = { customerId: string; uboId: string };

/** All numbers of a person in one seal: they change together, and each seal adds its own overhead. */
type Numbers = { taxIdentificationNumber: string | null; identityValues: string[] };

const placeOf = ({ customerId, uboId }: PersonPlace) => ({
  collection: "business_profiles",
  recordId: customerId,
  field: `people.${uboId}.sealedNumbers`,
});

export function sealPerson(
  cipher: CustomerCipher,
  input: PersonInput,
  where: PersonPlace,
  at: string,
): Person {
  const { uboId: _given, taxIdentificationNumber, identities, ...facts } = input;
  const identityValues = identities.map(({ identityValue }) => identityValue);
  const numbers: Numbers = { taxIdentificationNumber, identityValues };
  return {
    ...facts,
    uboId: where.uboId,
    addedAt: at,
    removedAt: null,
    sealedNumbers: cipher.seal(JSON.stringify(numbers), placeOf(where)),
    taxNumberLastFour: taxIdentificationNumber === null ? null : lastFourOf(taxIdentificationNumber),
    identities: identities.map(({ identityValue, ...identity }) => ({
      ...identity,
      lastFour: lastFourOf(identityValue),
    })),
  };
}

/** The person as it was sent, to compare it with what is sent now. */
export function openPerson(cipher: CustomerCipher, person: Person, customerId: string): PersonInput {
  const { addedAt: _, removedAt: __, taxNumberLastFour: ___, sealedNumbers, identities, ...facts } = person;
  const place = placeOf({ customerId, uboId: person.uboId });
  const { taxIdentificationNumber, identityValues } = JSON.parse(
    cipher.open(sealedNumbers, place),
  ) as Numbers;
  return {
    ...facts,
    taxIdentificationNumber,
    identities: identities.map(({ lastFour: _, ...identity }, index) => ({
      ...identity,
      identityValue: identityValues[index] ?? "",
    })),
  };
}

export function peopleTools(
  { cipher, clock }: Pick<Deps, "cipher" | "clock">,
  profile: Profile,
  at: string,
): PeopleTools {
  const { _id: customerId } = profile;
  // Most changes seal and open no person.
  let own: CustomerCipher | null = null;
  const cipherOf = () => {
    own ??= customerCipher(cipher, profile);
    return own;
  };
  return {
    seal: (person, uboId) => sealPerson(cipherOf(), person, { customerId, uboId }, at),
    open: (person) => openPerson(cipherOf(), person, customerId),
    newId: () => orderedId(clock.now()),
  };
}
