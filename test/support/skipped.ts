/** The only place that skips tests: each is reported as skipped, with the reason in its title. */
import { describe, test } from "@jest/globals";
import { isNightly } from "./repetitions.ts";

const NIGHTLY = "only in npm run test:nightly";
const nothing = () => undefined;

export const testIf = (isPossible: boolean, reason: string): typeof test =>
  isPossible ? test : skippedFor(reason);

export const describeIf = (isPossible: boolean, reason: string) => (name: string, body: () => void) =>
  isPossible ? describe(name, body) : describe.skip(`${name} (${reason})`, body);

export const nightlyTest: typeof test = testIf(isNightly, NIGHTLY);

/** Some rows of a table whose other rows another test asks in every run. Their number is reported as one skipped test. */
export function someRows<T>(rows: readonly T[], some: readonly T[], what: string): readonly T[] {
  if (isNightly) return rows;
  nightlyTest(`${rows.length - some.length} more ${what}`, nothing);
  return some;
}

function skippedFor(reason: string): typeof test {
  const skip = (name: string) => test.skip(`${name} (${reason})`, nothing);
  const each = (rows: readonly unknown[]) => (name: string) =>
    test.skip.each(rows)(`${name} (${reason})`, nothing);
  return Object.assign(skip, { each }) as unknown as typeof test;
}
