/** PATCH: changes what is named, appends people, confirms documents; all of it or nothing. */
import type { CallMeta } from "../../shared/caller.ts";
import type { Violation } from "../../shared/errors.ts";
import { changeProfile } from "./change-profile.ts";
import { isConfirmed } from "./documents.rules.ts";
import { findOwnProfile } from "./get-profile.ts";
import type { Parts } from "./parts.ts";
import { peopleTools } from "./people-tools.ts";
import { MAX_PEOPLE } from "./profile.schemas.ts";
import type { DocumentSummary, Profile } from "./profile.types.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { judgePatch, type PatchInput } from "./profile-input.rules.ts";
import { applyDocuments, applyPatch, livePeople } from "./profile-update.rules.ts";
import type { UpdateCall } from "./replace-profile.ts";
import { settleUpdate } from "./settle-update.rules.ts";
import { dayOf, foldedEmail } from "./text.rules.ts";
import { checkLock, checkVersion, referenceViolations } from "./update-guards.ts";
import { refuse } from "./violations.rules.ts";

export function patchProfile(deps: Parts, call: UpdateCall & { meta: CallMeta }) {
  const context = { countries: deps.countries.directory(), today: dayOf(deps.clock.now()) };
  return changeProfile(deps, {
    customerId: call.customerId,
    origin: call.origin,
    read: () => findOwnProfile(deps, call.partnerId, call.customerId),
    async decide(profile, at) {
      const { input, violations } = judgePatch(call.body, context);
      const all = input
        ? [...referenceViolations(input.partnerCustomerId, profile), ...personViolations(input, profile)]
        : violations;
      if (!input || all.length > 0) throw refuse(all);
      checkVersion(call.ifMatch, profile);
      checkLock(profile);
      const documents = await confirm(deps, profile, input.documentIds, call.meta);
      const update = applyDocuments(applyPatch(profile, input, peopleTools(deps, profile, at)), documents);
      const { changes } = update;
      const after = settleUpdate(profile, update, "patch", at);
      const confirmed = documents.filter(({ documentId }) =>
        changes.confirmed.some((c) => c.documentId === documentId),
      );
      return {
        after,
        facts: after ? updatedFacts(profile, after, changes, confirmed) : [],
        action: "patch",
        detail: { changedFields: changes.fields, documentIds: confirmed.map(({ documentId }) => documentId) },
        answer: (stored) => answerOf(stored, changes, input.documentIds),
      };
    },
  });
}

function personViolations({ newPeople }: PatchInput, profile: Profile): Violation[] {
  const people = livePeople(profile.people);
  const emails = new Set(people.map(({ email }) => foldedEmail(email)));
  const found: Violation[] = newPeople.flatMap(({ email }, index) =>
    emails.has(foldedEmail(email))
      ? [
          {
            field: `businessPersonList[${index}].email`,
            code: "ValidationControl.Error",
            message: "belongs to a person of this customer already",
          },
        ]
      : [],
  );
  if (newPeople.length > 0 && people.length + newPeople.length > MAX_PEOPLE)
    found.push({
      field: "businessPersonList",
      code: "ValidationControl.Error",
      message: `a customer may have at most ${MAX_PEOPLE} people`,
    });
  return found;
}

/** Asks the document service unless all of them are known as confirmed. */
async function confirm(
  deps: Parts,
  profile: Profile,
  ids: readonly string[],
  meta: CallMeta,
): Promise<DocumentSummary[]> {
  if (ids.every((id) => isConfirmed(profile.documents, id))) return [];
  return deps.confirmDocuments({ customerId: profile._id, partnerId: profile.partnerId }, ids, meta);
}

function answerOf(
  stored: Profile,
  changes: { fields: readonly string[]; addedUboIds: readonly string[] },
  ids: string[],
) {
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
