/** Records a fact of the document service; the second time changes nothing. */

import type { DocumentNews } from "../../../shared/contract/actions/profile.ts";
import { DOCUMENT_FIELDS, type DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { Deps } from "../deps.ts";
import { findOwnProfile } from "../read/get-profile.ts";
import { changeProfile } from "./change-profile.ts";
import { NO_CHANGES } from "./change-requests.rules.ts";
import { finishUpdate } from "./finish-update.rules.ts";
import type { CallOrigin } from "./profile-events.rules.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { applyDocuments } from "./profile-update.rules.ts";

type DocumentFact = DocumentNews & { origin: CallOrigin };

export function recordDocument(deps: Deps, { customerId, partnerId, document: given, origin }: DocumentFact) {
  // Other fields of a newer document service are not stored.
  const known = DOCUMENT_FIELDS.map((field) => [field, given[field] ?? null]);
  const document = Object.fromEntries(known) as DocumentSummary;
  return changeProfile(deps, {
    customerId,
    origin,
    read: () => findOwnProfile(deps, partnerId, customerId),
    decide(profile, at) {
      const update = applyDocuments({ next: profile, changes: NO_CHANGES }, [document]);
      const after = finishUpdate(profile, update, "document", at);
      // A file that is refused again is reported again: the partner sent another one.
      const isReported = update.changes.confirmed.length > 0 || document.status === "Rejected";
      return {
        after,
        facts: after ? updatedFacts(profile, after, update.changes, isReported ? [document] : []) : [],
        action: "document",
        detail: { documentId: document.documentId, status: document.status },
        answer: ({ version }) => ({ recorded: after !== null, version }),
      };
    },
  });
}
