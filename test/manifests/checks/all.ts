import type { Check } from "./check.ts";
import { keySetsApart } from "./field-keys.ts";
import { networkChecks } from "./network.ts";
import { objectChecks } from "./objects.ts";
import { podChecks } from "./pods.ts";
import { scalingChecks } from "./scaling.ts";
import { schemaValid } from "./schema.ts";
import { authoritiesOptional } from "./secrets.ts";
import { settingsChecks } from "./settings.ts";

/** Checks that hold for any pod, not only for our processes. */
const OF_ANY_POD = ["K2", "K3", "K4", "K5", "K6", "K18", "K32", "K34"];

export const CHECKS: readonly Check[] = [
  schemaValid,
  ...objectChecks,
  ...podChecks,
  ...settingsChecks,
  authoritiesOptional,
  keySetsApart,
  ...scalingChecks,
  ...networkChecks,
];

export const CHECKS_OF_SERVERS: readonly Check[] = CHECKS.filter(({ row }) =>
  OF_ANY_POD.includes(row.split(" ")[0] ?? ""),
);
