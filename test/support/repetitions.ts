/** What proves itself by repetition is short in npm test and long in npm run test:nightly. */
import { processEnv } from "../../shared/config/config.ts";

export const repetitions = (counts: { short: number; nightly: number }): number =>
  processEnv().PBO_TEST_NIGHTLY === "true" ? counts.nightly : counts.short;
