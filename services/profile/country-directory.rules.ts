/** The configurations in force, ready to be asked by country. Made anew whenever one changes. */
import { type CountryConfig, type DocumentRule, isInForce } from "./country-config.rules.ts";

export type CompiledRule = { rule: DocumentRule; regex: RegExp };

export type CountryRules = {
  countryCode: string;
  config: CountryConfig;
  documents: ReadonlyMap<string, CompiledRule>;
};

export type CountryDirectory = {
  /** Undefined when the country has no active configuration. */
  inForce(countryCode: string): CountryRules | undefined;
  /** Also of a country that is switched off: its passports still look the same. */
  latest(countryCode: string): CountryRules | undefined;
};

export const EMPTY_DIRECTORY: CountryDirectory = { inForce: () => undefined, latest: () => undefined };

/** Takes every version of every country; of those whose time has come the highest counts. */
export function countryDirectory(configs: readonly CountryConfig[], now: () => string): CountryDirectory {
  const byCountry = new Map<string, CountryRules[]>();
  for (const config of configs.toSorted((a, b) => b.version - a.version)) {
    const versions = byCountry.get(config.countryCode) ?? [];
    byCountry.set(config.countryCode, [...versions, compile(config)]);
  }
  const latest = (countryCode: string): CountryRules | undefined => {
    const at = now();
    return byCountry.get(countryCode)?.find(({ config }) => config.validFrom <= at);
  };
  return {
    latest,
    inForce(countryCode) {
      const found = latest(countryCode);
      return found && isInForce(found.config, now()) ? found : undefined;
    },
  };
}

const compile = (config: CountryConfig): CountryRules => ({
  countryCode: config.countryCode,
  config,
  documents: new Map(
    config.documents.map((rule) => [rule.identityTypeCode, { rule, regex: new RegExp(rule.pattern) }]),
  ),
});
