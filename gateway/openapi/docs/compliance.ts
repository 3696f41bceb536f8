/** Documentation of what analysts do. */
import { configChangeExample, configChangeSchema } from "../../../services/profile/country/config.schemas.ts";
import { configListValue, configValue } from "../../../services/profile/country/country-answer.schemas.ts";
import { rejectExample, requestChangesExample } from "../../../services/profile/read/examples.schemas.ts";
import { casesQuery, configsQuery } from "../../../services/profile/read/list.schemas.ts";
import {
  approveSchema,
  rejectSchema,
  requestChangesSchema,
} from "../../../services/profile/review/case.schemas.ts";
import {
  caseDetailValue,
  caseListValue,
  caseValue,
} from "../../../services/profile/review/case-answer.schemas.ts";
import type { ErrorCode } from "../../../shared/error-codes.ts";
import type { DocsOf } from "../route-doc.ts";

const ofOwner: ErrorCode[] = ["Customer.NotFound", "Customer.Erased", "Case.NotOwner", "Case.InvalidState"];

/** With If-Match an analyst decides on what was seen: what came in between refuses it. */
const ofDecision: ErrorCode[] = [...ofOwner, "Customer.VersionMismatch"];

export const complianceDocs: DocsOf<"Compliance"> = {
  "profile.listCases": {
    summary: "The review queue",
    description: "Every case, oldest first; filter by reviewStage=Queued for what waits.",
    query: casesQuery,
    value: caseListValue,
    errors: ["ValidationControl.Error"],
  },
  "profile.getCase": {
    summary: "One case",
    description: "The customer, its verification, remarks that did not refuse it, and who did what.",
    value: caseDetailValue,
    errors: ["Customer.NotFound", "Customer.Erased"],
  },
  "profile.claimCase": {
    summary: "Claim a case",
    description:
      "Locks the package for the partner. A claim ends after eight hours without an action; claiming again renews it.",
    value: caseValue,
    errors: ["Customer.NotFound", "Customer.Erased", "Case.AlreadyClaimed", "Case.InvalidState"],
  },
  "profile.releaseCase": { summary: "Give a case back to the queue", value: caseValue, errors: ofOwner },
  "profile.requestChanges": {
    summary: "Ask the partner for changes",
    description:
      "Unlocks the package. The case comes back to the queue when the last item is answered, or with new people.",
    body: requestChangesSchema,
    bodyExample: requestChangesExample,
    value: caseValue,
    takesVersion: true,
    errors: ["ValidationControl.Error", ...ofDecision],
  },
  "profile.approveCase": {
    summary: "Approve the customer",
    body: approveSchema,
    bodyExample: { note: "Registry extract checked." },
    value: caseValue,
    takesVersion: true,
    errors: ["ValidationControl.Error", ...ofDecision],
  },
  "profile.rejectCase": {
    summary: "Reject the customer",
    description: "Final: the partner can change nothing any more.",
    body: rejectSchema,
    bodyExample: rejectExample,
    value: caseValue,
    takesVersion: true,
    errors: ["ValidationControl.Error", ...ofDecision],
  },
  "profile.listConfigs": {
    summary: "The identity rules of every country",
    query: configsQuery,
    value: configListValue,
    errors: ["ValidationControl.Error"],
  },
  "profile.changeConfig": {
    summary: "Change the identity rules of a country, or switch it off",
    description: [
      "Adds a version; earlier ones stay for the record. Counts at once for new people, without a deploy; customers that exist",
      "stay as they are.",
    ].join("\n"),
    body: configChangeSchema,
    bodyExample: configChangeExample,
    value: configValue,
    errors: ["ValidationControl.Error", "OnboardingConfig.Conflict"],
    missing: ["Country.NotFound", "OnboardingConfig.NotFound"],
  },
};
