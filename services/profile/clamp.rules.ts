/** Cuts lists that are too long before anything looks inside them, so that a hostile body costs no more than a fair one. */
import type { Violation } from "../../shared/errors.ts";
import { MAX_ADDRESSES, MAX_DOCUMENT_IDS, MAX_IDENTITIES, MAX_PEOPLE } from "./profile.schemas.ts";

type Raw = Readonly<Record<string, unknown>>;

const TOP_LISTS = {
  addresses: MAX_ADDRESSES,
  businessPersonList: MAX_PEOPLE,
  businessDocumentIdList: MAX_DOCUMENT_IDS,
} as const;
/** There are three ownership types, so a longer list repeats one. */
const MAX_OWNERSHIP_TYPES = 4;

export function clampLists(body: Raw, code: string): { raw: Raw; violations: Violation[] } {
  const violations: Violation[] = [];
  let raw = body;
  for (const [field, max] of Object.entries(TOP_LISTS)) {
    const list = body[field];
    if (!Array.isArray(list) || list.length <= max) continue;
    violations.push({ field, code, message: `may have at most ${max} entries` });
    raw = { ...raw, [field]: list.slice(0, max) };
  }
  const people = raw.businessPersonList;
  if (Array.isArray(people) && people.some(hasLongList))
    raw = {
      ...raw,
      businessPersonList: people.map((person, index) => clampPerson(person, index, violations)),
    };
  return { raw, violations };
}

const isLong = (list: unknown, max: number): list is unknown[] => Array.isArray(list) && list.length > max;

const hasLongList = (person: Raw | null | undefined): boolean =>
  isLong(person?.identities, MAX_IDENTITIES) || isLong(person?.ownershipType, MAX_OWNERSHIP_TYPES);

function clampPerson(person: Raw, index: number, violations: Violation[]): Raw {
  if (!hasLongList(person)) return person;
  const { identities, ownershipType } = person;
  const clamped: Record<string, unknown> = { ...person };
  if (isLong(ownershipType, MAX_OWNERSHIP_TYPES))
    clamped.ownershipType = ownershipType.slice(0, MAX_OWNERSHIP_TYPES);
  if (isLong(identities, MAX_IDENTITIES)) {
    violations.push({
      field: `businessPersonList[${index}].identities`,
      code: "ValidationControl.Error",
      message: `may have at most ${MAX_IDENTITIES} entries`,
    });
    clamped.identities = identities.slice(0, MAX_IDENTITIES);
  }
  return clamped;
}
