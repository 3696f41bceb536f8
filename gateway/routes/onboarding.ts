import {
  businessTypesValue,
  requirementsValue,
} from "../../services/profile/country/country-answer.schemas.ts";
import { requirementsQuery } from "../../services/profile/read/list.schemas.ts";
import type { Route } from "../route.ts";

const common = {
  method: "GET",
  auth: "partner",
  scope: "partner.read",
  limit: "read",
  body: "none",
  envelope: "partner",
  tag: "Onboarding rules",
} as const;

export const onboardingRoutes: readonly Route[] = [
  {
    ...common,
    path: "/api/customer/v1/onboarding/ubo-identity-requirements",
    action: "profile.identityRequirements",
    doc: {
      summary: "Identity documents accepted from people living in a country",
      description:
        "One of the items is enough. validationRules.regex is exactly what create enforces; the rules can change without notice, and configVersion then rises.",
      query: requirementsQuery,
      value: requirementsValue,
      errors: ["ValidationControl.Error"],
      missing: ["Country.NotFound", "OnboardingConfig.NotFound"],
    },
  },
  {
    ...common,
    path: "/api/customer/v1/onboarding/business-types",
    action: "profile.businessTypes",
    doc: { summary: "The business types", value: businessTypesValue },
  },
];
