/** The identity documents that people living in a country can use. */
import { AppError, INVALID } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { COUNTRY_CODE } from "../record/text.rules.ts";
import { isCountry } from "./countries.rules.ts";
import { requirementsOf } from "./country-config.rules.ts";

export function identityRequirements({ countries }: Pick<Deps, "countries">, countryCode: unknown) {
  if (typeof countryCode !== "string" || !COUNTRY_CODE.test(countryCode)) {
    const message = "must be an ISO 3166-1 alpha-3 code, three uppercase letters";
    throw new AppError(INVALID, `countryCode: ${message}`, {
      details: [{ field: "countryCode", code: INVALID, message }],
    });
  }
  if (!isCountry(countryCode))
    throw new AppError("Country.NotFound", `${countryCode} is not a country of ISO 3166-1.`, {}, 404);
  const rules = countries.directory().inForce(countryCode);
  if (!rules)
    throw new AppError(
      "OnboardingConfig.NotFound",
      `People living in ${countryCode} cannot be onboarded: there is no active configuration.`,
      {},
      404,
    );
  return requirementsOf(rules.config);
}
