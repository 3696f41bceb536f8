/** Repetitions: few in npm test, many in npm run test:nightly. */
import { processEnv } from "../../shared/config/config.ts";

export const isNightly: boolean = processEnv().PBO_TEST_NIGHTLY === "true";

export const repetitions = (counts: { short: number; nightly: number }): number =>
  isNightly ? counts.nightly : counts.short;
