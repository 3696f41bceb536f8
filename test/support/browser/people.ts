/** The windows of one part of the browser tests: closed after each test, which fails on whatever went wrong in them. */
import { afterEach, expect } from "@jest/globals";
import { startRunningTime } from "../running-time.ts";
import type { Person } from "./browser.ts";
import { createRepeats } from "./repeats.ts";

const MOST_REPEATS = 2;
const repeats = createRepeats((line) => void process.stderr.write(`${line}\n`), MOST_REPEATS);

export function people() {
  const open: Person[] = [];
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
    journey:
      <A extends unknown[]>(work: (...args: A) => Promise<void>) =>
      (...args: A): Promise<void> =>
        repeats({ work: () => work(...args), closeAll, time: startRunningTime() }),
  };
}
