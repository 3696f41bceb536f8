/** The collection of country configurations: one record a version. */
import { type Connection, type Model, Schema } from "mongoose";
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";

/** _id is <country>:<version>: two operators cannot both write the same next version. */
export type StoredCountryConfig = CountryConfig & { _id: string };

const schema = new Schema<StoredCountryConfig>(
  {
    _id: { type: String, required: true },
    countryCode: { type: String, required: true },
    version: { type: Number, required: true },
    active: { type: Boolean, required: true },
    validFrom: { type: String, required: true },
    validTo: { type: String, default: null },
    documents: { type: [Schema.Types.Mixed], required: true } as never,
    changedBy: { type: String, required: true },
    changedAt: { type: String, required: true },
    reason: { type: String, default: "" },
  },
  { collection: "country_configs", versionKey: false, strict: "throw", autoIndex: false },
);
schema.index({ countryCode: 1, version: -1 }, { unique: true });

export const countryConfigModel = (connection: Connection): Model<StoredCountryConfig> =>
  connection.model<StoredCountryConfig>("CountryConfig", schema);
