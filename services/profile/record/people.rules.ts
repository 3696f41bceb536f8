/** The people of a customer: who is still one of them, and whom a request means. */
import { isRecord } from "../../../shared/is-record.ts";
import type { Person } from "./profile.types.ts";
import { foldedEmail } from "./text.rules.ts";

/** Without those whom a replacement left out. */
export const livePeople = (people: readonly Person[]): Person[] =>
  people.filter(({ removedAt }) => removedAt === null);

/** Stored people by the position of the given ones: matched by uboId first, then by email, each once. */
export function matchPeople(given: readonly unknown[], stored: readonly Person[]): Map<number, Person> {
  const free = new Set(stored);
  const matches = new Map<number, Person>();
  const match = (field: "uboId" | "email"): void => {
    for (const [index, person] of given.entries()) {
      const value = isRecord(person) && !matches.has(index) ? person[field] : undefined;
      if (typeof value !== "string") continue;
      const known = [...free].find((each) => each[field].toLowerCase() === foldedEmail(value));
      if (!known) continue;
      free.delete(known);
      matches.set(index, known);
    }
  };
  match("uboId");
  match("email");
  return matches;
}
