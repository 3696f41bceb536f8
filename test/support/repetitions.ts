/** Repetitions: few in npm test, many in npm run test:nightly. */
import { processEnv } from "../../shared/config/config.ts";

export const isNightly: boolean = processEnv().PBO_TEST_NIGHTLY === "true";

export const repetitions = (counts: { short: number; nightly: number }): number =>
  isNightly ? counts.nightly : counts.short;

/** A table that another test asks in every run without what surrounds it here: all rows at night, every sixth by day. */
export const someOf = <T>(rows: readonly T[]): readonly T[] =>
  rows.filter((_, index) => isNightly || index % 6 === 0);
