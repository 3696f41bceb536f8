/** Documentation of the rules that partners can read. */
import {
  businessTypesValue,
  countriesValue,
  requirementsValue,
} from "../../../services/profile/country/country-answer.schemas.ts";
import { requirementsQuery } from "../../../services/profile/read/list.schemas.ts";
import type { DocsOf } from "../route-doc.ts";

export const onboardingRuleDocs: DocsOf<"Onboarding rules"> = {
  "profile.identityRequirements": {
    summary: "Identity documents accepted from people living in a country",
    description:
      "One of the items is enough. validationRules.regex is exactly what create enforces; the rules can change without notice, and configVersion then rises.",
    query: requirementsQuery,
    value: requirementsValue,
    errors: ["ValidationControl.Error"],
    missing: ["Country.NotFound", "OnboardingConfig.NotFound"],
  },
  "profile.countries": {
    summary: "The countries",
    description: "Every country of ISO 3166-1, and whether people who live there can be onboarded.",
    value: countriesValue,
    valueExample: { items: [{ code: "NGA", name: "Nigeria", residentsAccepted: true }] },
  },
  "profile.businessTypes": { summary: "The business types", value: businessTypesValue },
};
