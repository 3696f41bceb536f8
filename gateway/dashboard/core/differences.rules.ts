/** Differences between two readings of a record, in the words of the page. */
import { asWords } from "./format.ts";

export type Difference = { what: string; before: string | null; after: string | null };
type Fact = { what: string; text: string };

/** Numbers of the record itself, and ids: they say nothing to a person. */
const UNSAID = /^(version|updatedAt|statusChangedAt|claimedUntil|requestId|.*Id)$/;

export function differences(before: object, after: object): Difference[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was?.text === is?.text) return [];
    return [{ what: (is ?? was)?.what ?? key, before: was?.text ?? null, after: is?.text ?? null }];
  });
}

function factsOf(record: object): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  const walk = (value: unknown, key: string, path: readonly string[]): void => {
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries())
        walk(each, `${key}/${idOf(each) ?? index}`, [...path, nameOf(each) ?? `${index + 1}`]);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value))
        if (!UNSAID.test(name)) walk(each, `${key}/${name}`, [...path, asWords(name)]);
    } else if (value !== null && value !== undefined && value !== "") {
      facts.set(key, { what: path.join(" › "), text: String(value) });
    }
  };
  walk(record, "", []);
  return facts;
}

const textAt = (value: unknown, name: string): string | null => {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof found === "string" ? found : null;
};

/** Entries of a list are the same when their id is, whatever their position. */
function idOf(value: unknown): string | null {
  return textAt(value, "documentId") ?? textAt(value, "changeRequestId") ?? textAt(value, "uboId");
}

function nameOf(value: unknown): string | null {
  const person = textAt(value, "lastName");
  if (person) return `${textAt(value, "firstName")} ${person}`;
  const kind = textAt(value, "documentCategory") ?? textAt(value, "identityTypeCode");
  return kind ? asWords(kind) : textAt(value, "message");
}
