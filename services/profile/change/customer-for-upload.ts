/** Says whether a partner may upload a file for a customer now. */
import type { UploadQuestion } from "../../../shared/action-types/profile.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { getOwnProfile } from "../read/get-profile.ts";
import { livePeople } from "../record/live-people.rules.ts";
import { checkLock } from "./update-guards.ts";

export async function customerForUpload(
  deps: Pick<Deps, "profiles" | "erasures" | "clock">,
  question: UploadQuestion,
) {
  const { customerId, partnerId, uboId } = question;
  const profile = await getOwnProfile(deps, partnerId, customerId);
  if (uboId !== null && !livePeople(profile.people).some((person) => person.uboId === uboId))
    throw new AppError("Ubo.NotFound", "uboId: is not a person of this customer", {
      details: [{ field: "uboId", code: "Ubo.NotFound", message: "is not a person of this customer" }],
    });
  checkLock(profile);
  return { customerId: profile._id, partnerCustomerId: profile.partnerCustomerId };
}
