/** PATCH: changes what is named, appends people, confirms documents; all of it or nothing. */
import type { CustomerPatch } from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Deps } from "../deps.ts";
import { judgePatch } from "../input/profile-input.rules.ts";
import { refuseUpdate } from "../input/violations.rules.ts";
import { isConfirmed } from "../record/documents.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { finishUpdate } from "./finish-update.rules.ts";
import { peopleTools } from "./people-tools.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { applyDocuments, applyPatch } from "./profile-update.rules.ts";
import { checkLock, checkVersion } from "./update-guards.ts";
import { type UpdateCall, updateOwn } from "./update-own.ts";
import type { Warned } from "./warned.ts";

export function patchProfile(
  deps: Deps,
  call: UpdateCall & { meta: CallMeta },
): Promise<Warned<CustomerPatch>> {
  return updateOwn(deps, call, async (profile, at, context) => {
    const { input, violations, warnings } = judgePatch(call.body, profile, context);
    if (!input) throw refuseUpdate(violations);
    checkVersion(call.ifMatch, profile);
    checkLock(profile);
    const documents = await confirm(deps, profile, input.documentIds, call.meta);
    const update = applyDocuments(applyPatch(profile, input, peopleTools(deps, profile, at)), documents);
    const { changes } = update;
    const after = finishUpdate(profile, update, "patch", at);
    const confirmed = documents.filter(({ documentId }) =>
      changes.confirmed.some((c) => c.documentId === documentId),
    );
    return {
      after,
      facts: after ? updatedFacts(profile, after, changes, confirmed) : [],
      action: "patch",
      detail: { changedFields: changes.fields, documentIds: confirmed.map(({ documentId }) => documentId) },
      answer: (stored) => ({ value: answerOf(stored, changes, input.documentIds), warnings }),
    };
  });
}

/** Asks the document service unless all of them are known as confirmed. */
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

function answerOf(
  stored: Profile,
  changes: { fields: readonly string[]; addedUboIds: readonly string[] },
  ids: string[],
): CustomerPatch {
  return {
    customerId: stored._id,
    partnerCustomerId: stored.partnerCustomerId,
    verificationStatus: stored.verificationStatus,
    ubos: stored.people
      .filter(({ uboId }) => changes.addedUboIds.includes(uboId))
      .map(({ uboId, firstName, lastName, email }) => ({ uboId, firstName, lastName, email })),
    confirmedDocumentIds: [...new Set(ids)],
    changedFields: changes.fields,
    version: stored.version,
  };
}
