/** Fills in what a body need not repeat of a stored person: numbers masked as in reads, and omitted identities. */
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { isAbsent } from "../country/identity.rules.ts";
import { livePeople, matchPeople } from "../record/people.rules.ts";
import type { IdentityInput, Person, PersonInput } from "../record/profile.types.ts";
import { isMasked, lastFourOf, masked } from "../record/text.rules.ts";

type Open = (person: Person) => PersonInput;

/** Identities that stay, by the place of the person in the list. */
export type KeptIdentities = ReadonlyMap<number, IdentityInput[]>;

/** The list of a replacement with what it leaves unsaid filled in; another residence has to be judged with the identities. */
export function withKnownPeople(
  raw: Raw,
  stored: readonly Person[],
  open: Open,
): { raw: Raw; kept: KeptIdentities } {
  const people = raw.businessPersonList;
  const kept = new Map<number, IdentityInput[]>();
  if (!Array.isArray(people)) return { raw, kept };
  const known = matchPeople(people, livePeople(stored));
  const businessPersonList = people.map((person: unknown, index) => {
    const match = known.get(index);
    if (!match || !isRecord(person) || !leavesUnsaid(person)) return person;
    const opened = open(match);
    if (isAbsent(person.identities) && residenceOf(person) === opened.address.countryCode)
      kept.set(index, opened.identities);
    return withKnown(person, opened);
  });
  return { raw: { ...raw, businessPersonList }, kept };
}

export const withKnown = (person: Raw, opened: PersonInput): Raw => ({
  ...person,
  taxIdentificationNumber: unmasked(person.taxIdentificationNumber, opened.taxIdentificationNumber),
  identities: isAbsent(person.identities)
    ? opened.identities.map(asSent)
    : identitiesOf(person.identities, opened.identities),
});

/** As a create would send it; remarks are ours. */
const asSent = ({ remarks: _, ...identity }: IdentityInput): Raw => identity;

function identitiesOf(given: unknown, known: readonly IdentityInput[]): unknown {
  if (!Array.isArray(given)) return given;
  return given.map((identity: unknown) => {
    if (!isRecord(identity) || !isMasked(identity.identityValue)) return identity;
    const same = known.find(
      ({ identityTypeCode, issuingCountry, identityValue }) =>
        identityTypeCode === identity.identityTypeCode &&
        issuingCountry === identity.issuingCountry &&
        isMaskOf(identity.identityValue, identityValue),
    );
    return same ? { ...identity, identityValue: same.identityValue } : identity;
  });
}

const unmasked = (given: unknown, known: string | null): unknown =>
  known !== null && isMaskOf(given, known) ? known : given;

const isMaskOf = (given: unknown, known: string): boolean => given === masked(lastFourOf(known));

const leavesUnsaid = ({ identities, taxIdentificationNumber }: Raw): boolean =>
  isAbsent(identities) ||
  isMasked(taxIdentificationNumber) ||
  (Array.isArray(identities) && identities.some((one) => isRecord(one) && isMasked(one.identityValue)));

const residenceOf = ({ address }: Raw): unknown => (isRecord(address) ? address.countryCode : undefined);
