/** Every country, and whether people who live there can be onboarded. */
import type { CountryView } from "../../../shared/contract/answers/country.ts";
import type { Deps } from "../deps.ts";
import { COUNTRIES } from "./countries.rules.ts";

export function listCountries({ countries }: Pick<Deps, "countries">): { items: CountryView[] } {
  const directory = countries.directory();
  const items = [...COUNTRIES].map(([code, name]) => ({
    code,
    name,
    residentsAccepted: Boolean(directory.inForce(code)),
  }));
  return { items };
}
