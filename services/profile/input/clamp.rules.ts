/** Cuts the lists of a body to their allowed length before the checks, so that a hostile body costs no more than a fair one. */

import { INVALID, type Violation } from "../../../shared/errors.ts";
import type { Raw } from "../../../shared/is-record.ts";
import { MAX_ADDRESSES, MAX_DOCUMENT_IDS, MAX_IDENTITIES, MAX_PEOPLE } from "./profile.schemas.ts";

const TOP_LISTS = {
  addresses: MAX_ADDRESSES,
  businessPersonList: MAX_PEOPLE,
  businessDocumentIdList: MAX_DOCUMENT_IDS,
} as const;
/** There are three ownership types, so a longer list repeats one and is refused for that. */
const MAX_OWNERSHIP_TYPES = 4;

/** The validator reports a null entry as a missing list; false is as wrong and gets the path of its entry. */
const NO_ENTRY = false;

export function clampLists(body: Raw, code: string): { raw: Raw; violations: Violation[] } {
  const violations: Violation[] = [];
  let raw = body;
  for (const [field, max] of Object.entries(TOP_LISTS)) {
    const list = body[field];
    if (!Array.isArray(list)) continue;
    if (list.length > max) violations.push({ field, code, message: `must have at most ${max} entries` });
    const next = clamp(list, max);
    if (next !== list) raw = { ...raw, [field]: next };
  }
  const people = raw.businessPersonList;
  if (!Array.isArray(people)) return { raw, violations };
  const next = people.map((person, index) => clampPerson(person, index, violations));
  const isSame = next.every((person, index) => person === people[index]);
  return { raw: isSame ? raw : { ...raw, businessPersonList: next }, violations };
}

function clamp(list: unknown[], max: number): unknown[] {
  const cut = list.length > max ? list.slice(0, max) : list;
  return cut.includes(null) ? cut.map((entry) => entry ?? NO_ENTRY) : cut;
}

function clampPerson(person: unknown, index: number, violations: Violation[]): unknown {
  if (person === null || typeof person !== "object") return person;
  const { identities, ownershipType } = person as Raw;
  const changed: Record<string, unknown> = {};
  if (Array.isArray(identities)) {
    if (identities.length > MAX_IDENTITIES)
      violations.push({
        field: `businessPersonList[${index}].identities`,
        code: INVALID,
        message: `must have at most ${MAX_IDENTITIES} entries`,
      });
    const next = clamp(identities, MAX_IDENTITIES);
    if (next !== identities) changed.identities = next;
  }
  if (Array.isArray(ownershipType)) {
    const next = clamp(ownershipType, MAX_OWNERSHIP_TYPES);
    if (next !== ownershipType) changed.ownershipType = next;
  }
  return Object.keys(changed).length > 0 ? { ...person, ...changed } : person;
}
