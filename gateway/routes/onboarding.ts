import type { Route } from "../route.ts";

const common = {
  method: "GET",
  auth: "partner",
  scope: "partner.read",
  limit: "read",
  body: "none",
  envelope: "partner",
  built: true,
  tag: "Onboarding rules",
} as const;

export const onboardingRoutes: readonly Route[] = [
  {
    ...common,
    path: "/api/customer/v1/onboarding/ubo-identity-requirements",
    action: "profile.identityRequirements",
    doc: { summary: "Identity documents accepted from people living in a country" },
  },
  {
    ...common,
    path: "/api/customer/v1/onboarding/business-types",
    action: "profile.businessTypes",
    doc: { summary: "The business types" },
  },
];
