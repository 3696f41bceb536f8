/** PUT, PATCH and PATCH of one person. Each is done completely or not at all. */
import type {
  CustomerChange,
  CustomerPatch,
  PersonChange,
} from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { AppError, INVALID } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Deps } from "../deps.ts";
import { judgePerson } from "../input/person-input.rules.ts";
import { judgePatch, judgeReplace } from "../input/profile-input.rules.ts";
import { refuseUpdate, type Warned } from "../input/violations.rules.ts";
import { isConfirmed } from "../record/documents.rules.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import { namedUbo } from "./new-profile.rules.ts";
import { applyDocuments, applyPatch, applyPerson, applyReplace } from "./profile-update.rules.ts";
import { changeAnswer, type UpdateCall, updateOwn } from "./update-own.ts";

/** Removed people stay in the document, and MongoDB stores at most 16 MB in one. */
const MAX_PEOPLE_EVER = 500;

export const replaceProfile = (deps: Deps, call: UpdateCall): Promise<Warned<CustomerChange>> =>
  updateOwn(deps, call, {
    action: "replace",
    judge: (profile, tools, context) => judgeReplace(call.body, profile, context, tools.open),
    apply(profile, input, tools, at) {
      const update = applyReplace(profile, input, tools, at);
      if (update.next.people.length <= MAX_PEOPLE_EVER) return update;
      const message = `this customer has had ${MAX_PEOPLE_EVER} people; name those who stay by uboId or email`;
      throw refuseUpdate([{ field: "businessPersonList", code: INVALID, message }]);
    },
    detail: ({ changes }) => ({ changedFields: changes.fields }),
    answer: changeAnswer,
  });

/** Changes the named fields, appends people and confirms documents. */
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

/** Corrects the named fields of a person; the numbers need not be sent again. */
export function patchPerson(deps: Deps, call: UpdateCall & { uboId: string }): Promise<Warned<PersonChange>> {
  const { uboId, body } = call;
  return updateOwn(deps, call, {
    action: "person",
    judge: (profile, tools, context) =>
      judgePerson(body, profile, tools.open(personOf(profile, uboId)), context),
    apply: (profile, input, tools) => applyPerson(profile, personOf(profile, uboId), input, tools),
    detail: ({ changes }) => ({ uboId, changedFields: changes.people.get(uboId) ?? [] }),
    answer: (stored, changes) => ({
      ...changeAnswer(stored),
      uboId,
      changedFields: changes.people.get(uboId) ?? [],
    }),
  });
}

function personOf({ people }: Profile, uboId: string): Person {
  const person = livePeople(people).find((each) => each.uboId === uboId);
  if (!person) throw new AppError("Ubo.NotFound", "This customer has no such person.", {}, 404);
  return person;
}
