/** The identity documents of each country when the service first starts; afterwards operators change them. */

import type { DocumentRuleInput } from "./country-config.rules.ts";
import rows from "./country-config.seed.json" with { type: "json" };

/** As an operator writes them. A type without a public format has the general pattern. */
export const COUNTRY_SEED = rows as Readonly<Record<string, readonly DocumentRuleInput[]>>;
