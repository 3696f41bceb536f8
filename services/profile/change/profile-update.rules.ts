/** Changes of a stored profile: fields, people and documents. An unchanged value stays the same object. */

import { isDeepStrictEqual } from "node:util";
import type { BusinessFields } from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { PatchInput, ReplaceInput } from "../input/profile-input.rules.ts";
import { wasConfirmed, withDocument } from "../record/documents.rules.ts";
import { livePeople, matchPeople } from "../record/people.rules.ts";
import type { Person, PersonInput, Profile } from "../record/profile.types.ts";
import { foldedName } from "../record/text.rules.ts";
import { type Changes, NO_CHANGES } from "./change-requests.rules.ts";

export type Update = { next: Profile; changes: Changes };

export type PeopleTools = {
  seal(person: PersonInput, uboId: string): Person;
  open(person: Person): PersonInput;
  newId(): string;
};

export function applyReplace(profile: Profile, input: ReplaceInput, tools: PeopleTools, at: string): Update {
  const { addresses = profile.addresses, financials = profile.financials } = input;
  const base = withFields(profile, { ...input.business, addresses, financials });
  return input.people ? replacePeople(base, input.people, tools, at) : base;
}

export function applyPatch(profile: Profile, input: PatchInput, tools: PeopleTools): Update {
  const { addresses = profile.addresses, financials = profile.financials } = input;
  const base = withFields(profile, { ...input.business, addresses, financials });
  const added = input.newPeople.map((person) => tools.seal(person, tools.newId()));
  return withPeople(base, [...profile.people, ...added], { addedUboIds: added.map(({ uboId }) => uboId) });
}

/** A document that was confirmed before is not confirmed again. */
export function applyDocuments(update: Update, documents: readonly DocumentSummary[]): Update {
  let list = update.next.documents;
  const confirmed: DocumentSummary[] = [];
  for (const document of documents) {
    const next = withDocument(list, document);
    const isFirst = document.status === "Confirmed" && !wasConfirmed(list, document.documentId);
    if (next !== list && isFirst) confirmed.push(document);
    list = next;
  }
  if (list === update.next.documents) return update;
  return { next: { ...update.next, documents: list }, changes: { ...update.changes, confirmed } };
}

export function applyPerson(
  profile: Profile,
  person: Person,
  input: PersonInput,
  tools: PeopleTools,
): Update {
  const unchanged = { next: profile, changes: NO_CHANGES };
  const fields = changedFields(input, tools.open(person));
  if (fields.length === 0) return unchanged;
  const corrected = { ...tools.seal(input, person.uboId), addedAt: person.addedAt };
  const people = profile.people.map((other) => (other === person ? corrected : other));
  return withPeople(unchanged, people, { people: new Map([[person.uboId, fields]]) });
}

type Values = Partial<BusinessFields> & Pick<Profile, "addresses" | "financials">;

function withFields(profile: Profile, values: Values): Update {
  const names = Object.keys(values) as (keyof Values)[];
  const fields = names.filter((name) => !isDeepStrictEqual(values[name], profile[name]));
  if (fields.length === 0) return { next: profile, changes: NO_CHANGES };
  const changed = Object.fromEntries(fields.map((name) => [name, values[name]])) as Partial<Profile>;
  const next = { ...profile, ...changed };
  if (fields.includes("companyName")) next.companyNameKey = foldedName(next.companyName);
  return { next, changes: { ...NO_CHANGES, fields } };
}

type PeopleChanges = Partial<Pick<Changes, "addedUboIds" | "removedUboIds" | "people">>;

function withPeople({ next, changes }: Update, people: Person[], changed: PeopleChanges): Update {
  const { addedUboIds = [], removedUboIds = [], people: corrected = new Map() } = changed;
  if (addedUboIds.length + removedUboIds.length + corrected.size === 0) return { next, changes };
  const fields = [...changes.fields, "businessPersonList"];
  return { next: { ...next, people }, changes: { ...changes, ...changed, fields } };
}

/** A person whom the given list does not name any more is marked as removed. */
function replacePeople(base: Update, given: readonly PersonInput[], tools: PeopleTools, at: string): Update {
  const stored = base.next.people;
  const matches = matchPeople(given, livePeople(stored));
  const matched = new Set(matches.values());
  const addedUboIds: string[] = [];
  const changed = new Map<string, string[]>();
  const now = given.map((input, index) => {
    const known = matches.get(index);
    if (!known) {
      const person = tools.seal(input, tools.newId());
      addedUboIds.push(person.uboId);
      return person;
    }
    const fields = changedFields({ ...input, uboId: known.uboId }, tools.open(known));
    if (fields.length === 0) return known;
    changed.set(known.uboId, fields);
    return { ...tools.seal(input, known.uboId), addedAt: known.addedAt };
  });
  const gone = stored
    .filter((person) => !matched.has(person))
    .map((person) => (person.removedAt === null ? { ...person, removedAt: at } : person));
  const removedUboIds = gone.filter(({ removedAt }) => removedAt === at).map(({ uboId }) => uboId);
  return withPeople(base, [...now, ...gone], { addedUboIds, removedUboIds, people: changed });
}

function changedFields(input: PersonInput, stored: PersonInput): string[] {
  const names = Object.keys(input) as (keyof PersonInput)[];
  return names.filter((name) => !isDeepStrictEqual(input[name], stored[name]));
}
