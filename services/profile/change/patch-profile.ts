/** PATCH: changes the named fields, appends people, confirms documents; all of it or nothing. */
import type { CustomerPatch } from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Deps } from "../deps.ts";
import { judgePatch } from "../input/profile-input.rules.ts";
import type { Warned } from "../input/violations.rules.ts";
import { isConfirmed } from "../record/documents.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { namedUbo } from "./new-profile.rules.ts";
import { applyDocuments, applyPatch } from "./profile-update.rules.ts";
import { changeAnswer, type UpdateCall, updateOwn } from "./update-own.ts";

export const patchProfile = (
  deps: Deps,
  call: UpdateCall & { meta: CallMeta },
): Promise<Warned<CustomerPatch>> =>
  updateOwn(deps, call, {
    action: "patch",
    judge: (profile, _tools, context) => judgePatch(call.body, profile, context),
    async apply(profile, input, tools) {
      const documents = await confirm(deps, profile, input.documentIds, call.meta);
      const update = applyDocuments(applyPatch(profile, input, tools), documents);
      const ids = new Set(update.changes.confirmed.map(({ documentId }) => documentId));
      return { ...update, confirmed: documents.filter(({ documentId }) => ids.has(documentId)) };
    },
    detail: ({ changes, confirmed = [] }) => ({
      changedFields: changes.fields,
      documentIds: confirmed.map(({ documentId }) => documentId),
    }),
    answer: (stored, changes, { documentIds }) => ({
      ...changeAnswer(stored),
      ubos: stored.people.filter(({ uboId }) => changes.addedUboIds.includes(uboId)).map(namedUbo),
      confirmedDocumentIds: [...new Set(documentIds)],
      changedFields: changes.fields,
    }),
  });

/** The document service is asked unless all documents are recorded as confirmed. */
async function confirm(
  deps: Deps,
  profile: Profile,
  ids: readonly string[],
  meta: CallMeta,
): Promise<DocumentSummary[]> {
  if (ids.every((id) => isConfirmed(profile.documents, id))) return [];
  const { _id: customerId, partnerId, simulatedDocumentIds: simulatedIds = [] } = profile;
  refuseSimulated(profile, ids);
  if (ids.every((id) => simulatedIds.includes(id))) return [];
  return deps.confirmDocuments({ customerId, partnerId, documentIds: ids, simulatedIds }, meta);
}

/** As the document service refuses a file that was rejected. */
function refuseSimulated({ documents, simulatedDocumentIds = [] }: Profile, ids: readonly string[]): void {
  const code = "Document.Rejected";
  const message = "The uploaded file was rejected; ask for a new link and upload another.";
  const details = ids.flatMap((id, index) =>
    simulatedDocumentIds.includes(id) && !isConfirmed(documents, id)
      ? [{ field: `businessDocumentIdList[${index}]`, code, message }]
      : [],
  );
  if (details.length > 0) throw new AppError(code, message, { details });
}
