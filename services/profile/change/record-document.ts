/** Takes over a fact of the document service; doing it twice changes nothing the second time. */

import type { DocumentNews } from "../../../shared/contract/actions/profile.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { Deps } from "../deps.ts";
import { findOwnProfile, findProfile } from "../read/get-profile.ts";
import { changeProfile } from "./change-profile.ts";
import { NO_CHANGES } from "./change-requests.rules.ts";
import { finishUpdate } from "./finish-update.rules.ts";
import type { CallOrigin } from "./origin.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { applyDocuments } from "./profile-update.rules.ts";

type DocumentFact = DocumentNews & { origin: CallOrigin };

export function recordDocument(deps: Deps, { customerId, partnerId, document, origin }: DocumentFact) {
  return changeProfile(deps, {
    customerId,
    origin,
    read: () =>
      partnerId === undefined ? findProfile(deps, customerId) : findOwnProfile(deps, partnerId, customerId),
    decide(profile, at) {
      const update = applyDocuments({ next: profile, changes: NO_CHANGES }, [summaryOf(document)]);
      const after = finishUpdate(profile, update, "document", at);
      // A file that is refused again is told again: the partner sent another one.
      const isTold = update.changes.confirmed.length > 0 || document.status === "Rejected";
      return {
        after,
        facts: after ? updatedFacts(profile, after, update.changes, isTold ? [summaryOf(document)] : []) : [],
        action: "document",
        detail: { documentId: document.documentId, status: document.status },
        answer: ({ version }) => ({ recorded: after !== null, version }),
      };
    },
  });
}

/** Known fields only. */
const summaryOf = (document: DocumentSummary): DocumentSummary => ({
  documentId: document.documentId,
  documentCategory: document.documentCategory,
  contentType: document.contentType,
  sizeBytes: document.sizeBytes ?? null,
  uboId: document.uboId ?? null,
  status: document.status,
  reason: document.reason ?? null,
  uploadedAt: document.uploadedAt ?? null,
  confirmedAt: document.confirmedAt ?? null,
});
