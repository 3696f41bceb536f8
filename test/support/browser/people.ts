/** The windows of one part of the browser tests: closed after each test, which fails on whatever went wrong in them. */
import { afterEach, expect } from "@jest/globals";
import { startRunningTime } from "../running-time.ts";
import type { Person } from "./browser.ts";

export function people() {
  const open: Person[] = [];
  /** Answers what went wrong in them. */
  async function closeAll(): Promise<string[]> {
    const closed = open.splice(0);
    await Promise.all(closed.map((person) => person.close()));
    return closed.flatMap(({ problems }) => problems);
  }
  afterEach(async () => expect(await closeAll()).toEqual([]));
  return {
    keep<P extends Person>(person: P): P {
      open.push(person);
      return person;
    },
    /** Done again where the host let others run in place of this machine, so that what is promised within seconds came late. */
    journey:
      <A extends unknown[]>(work: (...args: A) => Promise<void>) =>
      async (...args: A): Promise<void> => {
        const time = startRunningTime();
        try {
          await work(...args);
          expect(await closeAll()).toEqual([]);
        } catch (error) {
          if (!time.isStarved()) throw error;
          process.stderr.write(`done again, because the host took much of its time: ${error}\n`);
          await closeAll();
          await work(...args);
        }
      },
  };
}
