import type { Connection } from "mongoose";
import type { CountryConfig } from "../../../shared/action-types/profile.ts";
import { isDuplicateKey } from "../../../shared/mongo.ts";
import { countryConfigModel } from "./country-config.model.ts";

export type CountryConfigRepository = ReturnType<typeof countryConfigRepository>;

export function countryConfigRepository(connection: Connection) {
  const model = countryConfigModel(connection);
  return {
    ensureIndexes: () => model.createIndexes(),
    /** Every version of every country. */
    async all(): Promise<CountryConfig[]> {
      const found = await model.find().sort({ countryCode: 1, version: -1 }).lean().exec();
      return found.map(({ _id, ...config }) => config as CountryConfig);
    },
    /** Adds a version; false when somebody else has just added it. */
    async add(config: CountryConfig): Promise<boolean> {
      try {
        await model.create({ _id: `${config.countryCode}:${config.version}`, ...config });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Countries that are already known are left as they are. */
    async seed(configs: readonly CountryConfig[]): Promise<void> {
      await model.collection.bulkWrite(
        configs.map((config) => ({
          updateOne: {
            filter: { _id: `${config.countryCode}:1` as never },
            update: { $setOnInsert: config },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
  };
}
