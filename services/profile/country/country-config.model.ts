/** The collection of country configurations: one record a version. */
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";

/** _id is <country>:<version>: two operators cannot both write the same next version. */
export type StoredCountryConfig = CountryConfig & { _id: string };
