/** Documentation of the rules that partners can read. */

import { requirementsQuery } from "../../../services/profile/read/list.schemas.ts";
import type { DocsOf } from "../route-doc.ts";

export const onboardingRuleDocs: DocsOf<"Onboarding rules"> = {
  "profile.identityRequirements": {
    summary: "List the identity documents that are accepted from residents of a country",
    description:
      "One of the items is enough. Create enforces exactly validationRules.regex. The rules can change without notice; configVersion then rises.",
    query: requirementsQuery,
    missing: ["Country.NotFound", "OnboardingConfig.NotFound"],
  },
  "profile.countries": {
    summary: "List the countries",
    description: "Every country of ISO 3166-1, and whether its residents can be onboarded.",
    valueExample: { items: [{ code: "NGA", name: "Nigeria", residentsAccepted: true }] },
  },
  "profile.vocabularies": {
    summary: "List the values that forms offer",
    description:
      "The same for every signed-in person. Countries follow the identity rules, which analysts can change.",
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
  "profile.businessTypes": { summary: "List the business types" },
};
