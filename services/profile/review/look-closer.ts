/** A file or a whole number of a case, recorded in the audit trail before the analyst gets it. */

import { isoTime } from "../../../shared/clock.ts";
import type { RevealedIdentity } from "../../../shared/contract/answers/case.ts";
import type { ViewLink } from "../../../shared/contract/answers/document.ts";
import { AppError } from "../../../shared/errors.ts";
import type { AnalystCaller, CallMeta } from "../../../shared/identity/caller.ts";
import { customerCipher } from "../change/customer-key.ts";
import { openPerson } from "../change/seal-people.ts";
import type { Deps } from "../deps.ts";
import { findProfile } from "../read/get-profile.ts";
import { livePeople } from "../record/people.rules.ts";
import { currentState } from "../record/verification.rules.ts";
import { caseFact } from "./review-case.ts";

type Look = { customerId: string; meta: CallMeta };

export async function viewDocument(
  deps: Pick<Deps, "profiles" | "erasures" | "audit" | "signViewLink">,
  { customerId, documentId, meta }: Look & { documentId: string },
): Promise<ViewLink> {
  const profile = await findProfile(deps, customerId);
  const document = profile.documents.find((each) => each.documentId === documentId);
  if (!document) throw new AppError("Document.NotFound", "This case has no such document.", {}, 404);
  await deps.audit.asked(meta, caseFact("case.document_viewed", profile, null, { documentId }));
  return deps.signViewLink({ customerId: profile._id, documentId });
}

export async function revealIdentity(
  deps: Pick<Deps, "profiles" | "erasures" | "audit" | "cipher" | "clock">,
  call: Look & { analyst: AnalystCaller; uboId: string; index: string },
): Promise<RevealedIdentity> {
  const { uboId, meta } = call;
  const profile = currentState(await findProfile(deps, call.customerId), isoTime(deps.clock));
  if (profile.claim?.analystId !== call.analyst.userId)
    throw new AppError(
      "Case.NotOwner",
      "Claim the case first. A number is shown only to the analyst who reviews the case.",
    );
  const person = livePeople(profile.people).find((each) => each.uboId === uboId);
  const index = /^\d{1,3}$/.test(call.index) ? Number(call.index) : -1;
  const facts = person?.identities[index];
  if (!person || !facts) throw new AppError("Ubo.NotFound", "This case has no such identity.", {}, 404);
  const { identityTypeCode, issuingCountry } = facts;
  const seen = { uboId, index, identityTypeCode };
  await deps.audit.asked(meta, caseFact("case.identity_revealed", profile, null, seen));
  const { identities } = openPerson(customerCipher(deps.cipher, profile), person, profile._id);
  return { identityTypeCode, issuingCountry, identityValue: identities[index]?.identityValue ?? "" };
}
