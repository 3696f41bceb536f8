import type { Check } from "./check.ts";
import { keySetsApart } from "./field-keys.ts";
import { networkChecks } from "./network.ts";
import { objectChecks } from "./objects.ts";
import { podChecks } from "./pods.ts";
import { kedaChecks, scalingChecks } from "./scaling.ts";
import { schemaValid } from "./schema.ts";
import { secretChecks } from "./secrets.ts";
import { settingsChecks } from "./settings.ts";

export const CHECKS: readonly Check[] = [
  schemaValid,
  ...objectChecks,
  ...podChecks,
  ...settingsChecks,
  ...secretChecks,
  keySetsApart,
  ...scalingChecks,
  ...kedaChecks,
  ...networkChecks,
];
