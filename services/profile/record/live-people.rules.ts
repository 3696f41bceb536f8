/** The people of a customer without those whom a replacement left out. */
import type { Person } from "./profile.types.ts";

export const livePeople = (people: readonly Person[]): Person[] =>
  people.filter(({ removedAt }) => removedAt === null);
