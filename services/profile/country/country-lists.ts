/** The countries, and the identity documents that people living in each can use. */
import type { CountryView, IdentityRequirements } from "../../../shared/contract/answers/country.ts";
import { AppError, INVALID } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { COUNTRY_CODE } from "../record/text.rules.ts";
import { COUNTRIES, isCountry } from "./countries.rules.ts";
import { requirementsOf } from "./country-config.rules.ts";

type ListDeps = Pick<Deps, "countries">;

export function listCountries({ countries }: ListDeps): { items: CountryView[] } {
  const { inForce } = countries.directory();
  const items = [...COUNTRIES].map(([code, name]) => ({
    code,
    name,
    residentsAccepted: Boolean(inForce(code)),
  }));
  return { items };
}

export function identityRequirements({ countries }: ListDeps, countryCode: unknown): IdentityRequirements {
  if (typeof countryCode !== "string" || !COUNTRY_CODE.test(countryCode)) {
    const message = "must be an ISO 3166-1 alpha-3 code, three uppercase letters";
    const details = [{ field: "countryCode", code: INVALID, message }];
    throw new AppError(INVALID, `countryCode: ${message}`, { details });
  }
  if (!isCountry(countryCode))
    throw new AppError("Country.NotFound", `${countryCode} is not a country of ISO 3166-1.`, {}, 404);
  const rules = countries.directory().inForce(countryCode);
  if (rules) return requirementsOf(rules.config);
  const message = `People living in ${countryCode} cannot be onboarded: there is no active configuration.`;
  throw new AppError("OnboardingConfig.NotFound", message, {}, 404);
}
