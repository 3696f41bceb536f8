/** Looks up the configuration of a country; rebuilt whenever one changes. */

import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { CountryConfig, DocumentRule } from "../../../shared/contract/answers/country.ts";
import { compilePattern, type Pattern } from "./pattern.rules.ts";

export type CompiledRule = { rule: DocumentRule; pattern: Pattern };

export type CountryRules = {
  countryCode: string;
  config: CountryConfig;
  documents: ReadonlyMap<string, CompiledRule>;
};

export type CountryDirectory = {
  /** Undefined when the country has no active configuration. */
  inForce(countryCode: string): CountryRules | undefined;
  /** Also of a country that is switched off: its passports keep their format. */
  latest(countryCode: string): CountryRules | undefined;
};

export const EMPTY_DIRECTORY: CountryDirectory = { inForce: () => undefined, latest: () => undefined };

type Timed = { rules: CountryRules; fromMs: number; toMs: number };

/** Takes every version of every country; the highest whose validFrom has passed counts. */
export function countryDirectory(configs: readonly CountryConfig[], now: () => number): CountryDirectory {
  const byCountry = Map.groupBy(
    configs.toSorted((a, b) => b.version - a.version).map(timed),
    ({ rules }) => rules.countryCode,
  );
  const newest = (countryCode: string): Timed | undefined => {
    const at = now();
    return byCountry.get(countryCode)?.find(({ fromMs }) => fromMs <= at);
  };
  return {
    latest: (countryCode) => newest(countryCode)?.rules,
    inForce(countryCode) {
      const found = newest(countryCode);
      return found?.rules.config.active && now() < found.toMs ? found.rules : undefined;
    },
  };
}

const timed = (config: CountryConfig): Timed => ({
  rules: compile(config),
  fromMs: Date.parse(config.validFrom),
  toMs: config.validTo === null ? Number.POSITIVE_INFINITY : Date.parse(config.validTo),
});

/** Versions that did not change are not compiled again. */
const MAX_COMPILED = 1_000;
const compiled = new BoundedMap<string, Pattern>(MAX_COMPILED);

export function patternOf(source: string): Pattern {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = compilePattern(source);
  compiled.set(source, pattern);
  return pattern;
}

const compile = (config: CountryConfig): CountryRules => ({
  countryCode: config.countryCode,
  config,
  documents: new Map(
    config.documents.map((rule) => [rule.identityTypeCode, { rule, pattern: patternOf(rule.pattern) }]),
  ),
});
