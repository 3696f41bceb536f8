/** Says whether a partner may upload a file for a customer now. */
import type { UploadQuestion } from "../../../shared/action-types/profile.ts";
import { AppError, isAppError } from "../../../shared/errors.ts";
import { type PlainError, toPlainError } from "../../../shared/moleculer/grouped-call.ts";
import type { Deps } from "../deps.ts";
import { getOwnProfile } from "../read/get-profile.ts";
import { livePeople } from "../record/live-people.rules.ts";
import { checkLock } from "./update-guards.ts";

type UploadDeps = Pick<Deps, "profiles" | "erasures" | "clock">;

/** For each question why not, or null. Fails where one cannot be answered. */
export const uploadRefusals = (
  deps: UploadDeps,
  questions: readonly UploadQuestion[],
): Promise<(PlainError | null)[]> =>
  Promise.all(
    questions.map((question) =>
      refuseUpload(deps, question).catch((refusal: unknown) => {
        if (!isAppError(refusal) || refusal.code >= 500) throw refusal;
        return toPlainError(refusal);
      }),
    ),
  );

async function refuseUpload(
  deps: UploadDeps,
  { customerId, partnerId, uboId }: UploadQuestion,
): Promise<null> {
  const profile = await getOwnProfile(deps, partnerId, customerId);
  if (uboId !== null && !livePeople(profile.people).some((person) => person.uboId === uboId))
    throw new AppError("Ubo.NotFound", "uboId: is not a person of this customer", {
      details: [{ field: "uboId", code: "Ubo.NotFound", message: "is not a person of this customer" }],
    });
  checkLock(profile);
  return null;
}
