/** Cuts the lists of a body to their allowed length before the checks, so that a hostile body costs no more than a fair one. */

import { INVALID, type Violation } from "../../../shared/errors.ts";
import { isRecord, type Raw } from "../../../shared/is-record.ts";
import { MAX_ADDRESSES, MAX_DOCUMENT_IDS, MAX_IDENTITIES, MAX_PEOPLE } from "./profile.schemas.ts";

const TOP_LISTS = {
  addresses: MAX_ADDRESSES,
  businessPersonList: MAX_PEOPLE,
  businessDocumentIdList: MAX_DOCUMENT_IDS,
} as const;
/** There are three ownership types, so the shape check refuses a fourth: it repeats one. */
const LISTS_OF_PERSON = { identities: MAX_IDENTITIES, ownershipType: 4 } as const;

/** The validator reports a null entry as a missing list; false is as wrong and gets the path of its entry. */
const NO_ENTRY = false;

export function clampLists(body: Raw, code: string): { raw: Raw; violations: Violation[] } {
  const violations: Violation[] = [];
  const tooLong = (field: string, fieldCode: string, max: number) =>
    violations.push({ field, code: fieldCode, message: `must have at most ${max} entries` });
  const raw = clamped(body, TOP_LISTS, (field, max) => tooLong(field, code, max));
  const people = raw.businessPersonList;
  if (!Array.isArray(people)) return { raw, violations };
  const businessPersonList = people.map((person: unknown, index) => {
    if (!isRecord(person)) return person;
    return clamped(person, LISTS_OF_PERSON, (field, max) => {
      if (field === "identities") tooLong(`businessPersonList[${index}].${field}`, INVALID, max);
    });
  });
  return { raw: { ...raw, businessPersonList }, violations };
}

function clamped(record: Raw, limits: object, onCut: (field: string, max: number) => void): Raw {
  const changed: Record<string, unknown> = {};
  for (const [field, max] of Object.entries(limits)) {
    const list = record[field];
    if (!Array.isArray(list)) continue;
    if (list.length > max) onCut(field, max);
    else if (!list.includes(null)) continue;
    changed[field] = list.slice(0, max).map((entry) => entry ?? NO_ENTRY);
  }
  return Object.keys(changed).length > 0 ? { ...record, ...changed } : record;
}
