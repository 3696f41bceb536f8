/** Documentation of the rules that partners can read. */

import { requirementsQuery } from "../../../services/profile/read/list.schemas.ts";
import {
  businessTypesValue,
  countriesValue,
  requirementsValue,
  vocabulariesValue,
} from "../../../shared/contract/answers/country.ts";
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
  "profile.vocabularies": {
    summary: "The closed lists that forms offer",
    description: "The same for everybody who is signed in. Countries follow the rules that analysts change.",
    value: vocabulariesValue,
    valueExample: {
      reasonCodes: ["Document.Unreadable", "Other"],
      targets: [{ kind: "Identity", fields: ["identityValue"] }],
      businessDocumentCategories: ["CertificateOfIncorporation"],
      personDocumentCategories: ["IdentityFront"],
      contentTypes: ["application/pdf"],
      identityTypes: ["PASSPORT"],
      ownershipTypes: ["UBO"],
      verificationStatuses: ["PendingVerification"],
      reviewStages: ["Queued"],
      businessTypes: [{ code: "LLC", name: "Limited liability company" }],
      countries: [{ code: "NGA", name: "Nigeria", residentsAccepted: true }],
    },
  },
  "profile.businessTypes": { summary: "The business types", value: businessTypesValue },
};
