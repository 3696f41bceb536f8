/** A stored version of a country configuration. */
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";

/** _id is <country>:<version>: two operators cannot both write the next version. */
export type StoredCountryConfig = CountryConfig & { _id: string };
