/** Versions of country configurations: added and read, never changed. */
import type { Connection } from "mongoose";
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";
import { collectionOf, createNew, insertNew } from "../../../shared/mongo/mongo.ts";
import { countryConfigModel, type StoredCountryConfig } from "./country-config.model.ts";

export type CountryConfigRepository = ReturnType<typeof countryConfigRepository>;

export function countryConfigRepository(connection: Connection) {
  const model = countryConfigModel(connection);
  return {
    /** Every version of every country. */
    async all(): Promise<CountryConfig[]> {
      const found = await model.find().sort({ countryCode: 1, version: -1 }).lean().exec();
      return found.map(({ _id, ...config }) => config as CountryConfig);
    },
    /** Adds a version; false when somebody else has just added it. */
    add: (config: CountryConfig): Promise<boolean> => createNew(model, stored(config)),
    /** Countries that are already known are left as they are. */
    async seed(configs: readonly CountryConfig[]): Promise<void> {
      await insertNew(collectionOf(model), configs.map(stored));
    },
  };
}

const stored = (config: CountryConfig): StoredCountryConfig => ({
  _id: `${config.countryCode}:${config.version}`,
  ...config,
});
