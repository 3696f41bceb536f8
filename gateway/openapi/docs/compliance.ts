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
import { revealedIdentityExample } from "../../../shared/contract/answers/case.ts";
import { viewLinkExample } from "../../../shared/contract/answers/document.ts";
import type { ErrorCode } from "../../../shared/contract/error-codes.ts";
import type { DocsOf } from "../route-doc.ts";

const ofOwner: ErrorCode[] = ["Customer.NotFound", "Customer.Erased", "Case.NotOwner", "Case.InvalidState"];

/** With If-Match, a decision is refused if the customer was changed after the analyst read it. */
const ofDecision: ErrorCode[] = [...ofOwner, "Customer.VersionMismatch"];

export const complianceDocs: DocsOf<"Compliance"> = {
  "profile.listCases": {
    summary: "List cases",
    description:
      "Oldest first. reviewStage=Queued lists the cases that wait for a claim. With search, the matching cases by name.",
    query: casesQuery,
  },
  "profile.countCases": {
    summary: "Count the cases in each stage, and your own",
    query: caseCountsQuery,
    valueExample: {
      Queued: 12,
      UnderReview: 3,
      AwaitingPartner: 7,
      Closed: 1_000,
      mine: 1,
      countedUpTo: 1_000,
    },
  },
  "profile.claimNextCase": {
    summary: "Claim the case that has waited longest",
    description: "Analysts who ask at the same time get different cases. Null when no case waits.",
    errors: ["Case.AlreadyClaimed"],
  },
  "profile.addNote": {
    summary: "Add a note for other analysts",
    description:
      "The note has its author and time, cannot be changed or removed, and is never shown to partners. At most 500 per case.",
    body: noteSchema,
    bodyExample: { text: "The registry's website was down; look again tomorrow." },
    valueExample: {
      noteId: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
      at: "2026-01-15T10:00:00.000Z",
      by: "grace@operator.example",
      text: "The registry's website was down; look again tomorrow.",
    },
    errors: ["ValidationControl.Error", "Customer.NotFound", "Customer.Erased", "Case.TooManyNotes"],
  },
  "profile.getCase": {
    summary: "Read one case",
    description:
      "The customer, its verification, remarks from the checks of its data, notes, and its history.",
    errors: ["Customer.NotFound", "Customer.Erased"],
  },
  "profile.claimCase": {
    summary: "Claim a case",
    description:
      "The partner cannot change the customer while it is claimed. A claim ends after eight hours without an action. Claim again to renew it.",
    errors: ["Customer.NotFound", "Customer.Erased", "Case.AlreadyClaimed", "Case.InvalidState"],
  },
  "profile.releaseCase": {
    summary: "Return a case to the queue",
    description: "A lead analyst can also return the claim of a colleague.",
    errors: ofOwner,
  },
  "profile.requestChanges": {
    summary: "Ask the partner for changes",
    description:
      "The partner can change the customer again. The case returns to the queue when the last item is answered or people are added.",
    body: requestChangesSchema,
    bodyExample: requestChangesExample,
    takesVersion: true,
    errors: ["ValidationControl.Error", ...ofDecision],
  },
  "profile.approveCase": {
    summary: "Approve the customer",
    body: approveSchema,
    bodyExample: { note: "Registry extract checked." },
    takesVersion: true,
    errors: ["ValidationControl.Error", ...ofDecision],
  },
  "profile.rejectCase": {
    summary: "Reject the customer",
    description: "Final: the partner can no longer change the customer.",
    body: rejectSchema,
    bodyExample: rejectExample,
    takesVersion: true,
    errors: ["ValidationControl.Error", ...ofDecision],
  },
  "profile.viewDocument": {
    summary: "Get a link to view a document",
    description: [
      "The link opens exactly the confirmed file, with its content type and file name, and works for 60 seconds. Images and PDFs",
      "are shown in the browser. The request is recorded in the audit log before the link is returned. Open it without a referrer.",
    ].join("\n"),
    valueExample: viewLinkExample,
    errors: ["Customer.NotFound", "Customer.Erased", "Document.NotUploaded", "Document.Rejected"],
    missing: ["Document.NotFound"],
  },
  "profile.revealIdentity": {
    summary: "Reveal the number of an identity",
    description: [
      "Reads show the last four characters only. The analyst who has claimed the case can read one full number at a time. Each",
      "request is recorded in the audit log first. `index` counts the identities of the person from 0.",
    ].join("\n"),
    valueExample: revealedIdentityExample,
    errors: ["Customer.NotFound", "Customer.Erased", "Case.NotOwner"],
    missing: ["Ubo.NotFound"],
  },
  "profile.listConfigs": {
    summary: "List the identity rules of every country",
    query: configsQuery,
  },
  "profile.changeConfig": {
    summary: "Change the identity rules of a country, or deactivate it",
    description:
      "Adds a version and keeps earlier ones. The new rules apply to new people, not to existing customers.",
    body: configChangeSchema,
    bodyExample: configChangeExample,
    errors: ["ValidationControl.Error", "OnboardingConfig.Conflict"],
    missing: ["Country.NotFound", "OnboardingConfig.NotFound"],
  },
};
