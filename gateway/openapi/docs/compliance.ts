/** Documentation of what analysts do. */
import { configChangeExample, configChangeSchema } from "../../../services/profile/country/config.schemas.ts";
import { rejectExample, requestChangesExample } from "../../../services/profile/read/examples.schemas.ts";
import { caseCountsQuery, casesQuery, configsQuery } from "../../../services/profile/read/list.schemas.ts";
import {
  approveSchema,
  noteSchema,
  rejectSchema,
  requestChangesSchema,
} from "../../../services/profile/review/case.schemas.ts";
import {
  caseCountsValue,
  caseDetailValue,
  caseListValue,
  caseOrNothing,
  caseValue,
  noteValue,
  revealedIdentityExample,
  revealedIdentityValue,
} from "../../../shared/contract/answers/case.ts";
import { configListValue, configValue } from "../../../shared/contract/answers/country.ts";
import { viewLinkExample, viewLinkValue } from "../../../shared/contract/answers/document.ts";
import type { ErrorCode } from "../../../shared/contract/error-codes.ts";
import type { DocsOf } from "../route-doc.ts";

const ofOwner: ErrorCode[] = ["Customer.NotFound", "Customer.Erased", "Case.NotOwner", "Case.InvalidState"];

/** With If-Match an analyst decides on what was seen: what came in between refuses it. */
const ofDecision: ErrorCode[] = [...ofOwner, "Customer.VersionMismatch"];

export const complianceDocs: DocsOf<"Compliance"> = {
  "profile.listCases": {
    summary: "The review queue",
    description:
      "Every case, oldest first; filter by reviewStage=Queued for what waits. With search, the cases found, by name.",
    query: casesQuery,
    value: caseListValue,
    errors: ["ValidationControl.Error"],
  },
  "profile.countCases": {
    summary: "How many cases there are in each stage, and how many are mine",
    query: caseCountsQuery,
    value: caseCountsValue,
    valueExample: {
      Queued: 12,
      UnderReview: 3,
      AwaitingPartner: 7,
      Closed: 1_000,
      mine: 1,
      countedUpTo: 1_000,
    },
    errors: ["ValidationControl.Error"],
  },
  "profile.claimNextCase": {
    summary: "Claim the case that waits longest",
    description: "Whoever asks at the same time gets another one. Null when nothing waits.",
    value: caseOrNothing,
    errors: ["Case.AlreadyClaimed"],
  },
  "profile.addNote": {
    summary: "Add a note for other analysts",
    description:
      "With who and when; it cannot be changed or removed, and partners never see it. At most 500.",
    body: noteSchema,
    bodyExample: { text: "The registry's website was down; look again tomorrow." },
    value: noteValue,
    valueExample: {
      noteId: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
      at: "2026-01-15T10:00:00.000Z",
      by: "grace@operator.example",
      text: "The registry's website was down; look again tomorrow.",
    },
    errors: ["ValidationControl.Error", "Customer.NotFound", "Customer.Erased", "Case.TooManyNotes"],
  },
  "profile.getCase": {
    summary: "One case",
    description: "The customer, its verification, remarks that did not refuse it, notes, and who did what.",
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
  "profile.releaseCase": {
    summary: "Give a case back to the queue",
    description: "A lead analyst may give back what a colleague has claimed.",
    value: caseValue,
    errors: ofOwner,
  },
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
  "profile.viewDocument": {
    summary: "A link to look at a document",
    description: [
      "Leads to exactly the confirmed file, for 60 seconds, with the content type and the file name that we say. Pictures and",
      "PDF are shown in place. Who asked stands in the audit trail before the link is given. Open it without a referrer.",
    ].join("\n"),
    value: viewLinkValue,
    valueExample: viewLinkExample,
    errors: ["Customer.NotFound", "Customer.Erased", "Document.NotUploaded", "Document.Rejected"],
    missing: ["Document.NotFound"],
  },
  "profile.revealIdentity": {
    summary: "The whole number of an identity",
    description: [
      "Reads show the last four characters. The whole number is given to the analyst who has claimed the case, one at a time,",
      "and stands in the audit trail before. `index` counts the identities of the person from 0.",
    ].join("\n"),
    value: revealedIdentityValue,
    valueExample: revealedIdentityExample,
    errors: ["Customer.NotFound", "Customer.Erased", "Case.NotOwner"],
    missing: ["Ubo.NotFound"],
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
