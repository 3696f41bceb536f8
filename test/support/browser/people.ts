/** The windows of one part of the browser tests: closed after each test, which fails on whatever went wrong in them. */
import { afterEach, expect } from "@jest/globals";
import type { Person } from "./browser.ts";

export function people(): <P extends Person>(person: P) => P {
  const open: Person[] = [];
  afterEach(async () => {
    const problems = open.flatMap((person) => person.problems);
    await Promise.all(open.splice(0).map((person) => person.close()));
    expect(problems).toEqual([]);
  });
  return (person) => {
    open.push(person);
    return person;
  };
}
