import type { Person } from "./profile.types.ts";

/** The people of a customer without those whom a replacement left out. */
export const livePeople = (people: readonly Person[]): Person[] =>
  people.filter(({ removedAt }) => removedAt === null);
