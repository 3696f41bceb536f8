/** Versions of country configurations: added and read, never changed. */
import type { Connection } from "mongoose";
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";

export type CountryConfigRepository = ReturnType<typeof countryConfigRepository>;

export function countryConfigRepository(connection: Connection) {
  const configs = collectionOf(connection, COLLECTIONS.countryConfigs);
  return {
    /** Every version of every country. */
    async all(): Promise<CountryConfig[]> {
      const found = await configs.find().sort({ countryCode: 1, version: -1 }).toArray();
      return found.map(({ _id, ...config }) => config);
    },
    /** Adds a version; false when another caller has just added it. */
    add: async (config: CountryConfig): Promise<boolean> =>
      (await insertNew(configs, [stored(config)])).size === 0,
    /** Does not change versions that exist. */
    async seed(seeds: readonly CountryConfig[]): Promise<void> {
      await insertNew(configs, seeds.map(stored));
    },
  };
}

const stored = (config: CountryConfig) => ({
  _id: `${config.countryCode}:${config.version}`,
  ...config,
});
