/** Says whether a partner may upload a file for a customer now. */
import { AppError } from "../../../shared/errors.ts";
import type { Parts } from "../deps.ts";
import { getOwnProfile } from "../read/get-profile.ts";
import { livePeople } from "../record/live-people.rules.ts";
import { checkLock } from "./update-guards.ts";

export type UploadQuestion = { customerId: string; partnerId: string; uboId?: string | null };

export async function customerForUpload(deps: Pick<Parts, "profiles" | "clock">, question: UploadQuestion) {
  const { customerId, partnerId } = question;
  const uboId = question.uboId ?? null;
  const profile = await getOwnProfile(deps, partnerId, customerId);
  if (uboId !== null && !livePeople(profile.people).some((person) => person.uboId === uboId))
    throw new AppError("Ubo.NotFound", "uboId: is not a person of this customer", {
      details: [{ field: "uboId", code: "Ubo.NotFound", message: "is not a person of this customer" }],
    });
  checkLock(profile);
  return { customerId: profile._id, partnerCustomerId: profile.partnerCustomerId };
}
