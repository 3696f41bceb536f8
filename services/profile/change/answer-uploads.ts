/** Whether a partner may upload a file for a customer now. Claims the Idempotency-Key of the request. */

import { isoTime } from "../../../shared/clock.ts";
import type { UploadAnswers, UploadQuestion } from "../../../shared/contract/actions/profile.ts";
import { isAppError } from "../../../shared/errors.ts";
import { type PlainError, toPlainError } from "../../../shared/moleculer/grouped-call.ts";
import type { Deps } from "../deps.ts";
import { refuse, type Warned } from "../input/violations.rules.ts";
import { getOwnProfile } from "../read/get-profile.ts";
import { livePeople } from "../record/people.rules.ts";
import { DuplicateKey } from "../record/profile.repository.ts";
import { customerCipher } from "./customer-key.ts";
import { keptAnswer, once } from "./kept-answer.ts";
import { checkLock } from "./update-own.ts";

type UploadDeps = Pick<Deps, "profiles" | "erasures" | "clock" | "cipher">;
type Answer = { refusal: PlainError | null; documentId: string | null };

/** Fails when a question cannot be answered. */
export async function answerUploads(
  deps: UploadDeps,
  questions: readonly UploadQuestion[],
): Promise<UploadAnswers> {
  const answers = await Promise.all(
    questions.map((question) =>
      answerUpload(deps, question).then(
        (documentId): Answer => ({ refusal: null, documentId }),
        (refusal: unknown): Answer => {
          if (!isAppError(refusal) || refusal.code >= 500) throw refusal;
          return { refusal: toPlainError(refusal), documentId: null };
        },
      ),
    ),
  );
  return {
    refusals: answers.map(({ refusal }) => refusal),
    documentIds: answers.map(({ documentId }) => documentId),
  };
}

/** Stored as the answer: a link is signed again from the id. */
type Claimed = { documentId: string } | null;

/** The document of the first request with this key counts, even if the request would be refused now. */
async function answerUpload(
  deps: UploadDeps,
  { customerId, partnerId, uboId, keyed = null }: UploadQuestion,
): Promise<string | null> {
  const work = async (): Promise<Warned<Claimed>> => {
    const profile = await getOwnProfile(deps, partnerId, customerId);
    if (uboId !== null && !livePeople(profile.people).some((person) => person.uboId === uboId))
      throw refuse([{ field: "uboId", code: "Ubo.NotFound", message: "is not a person of this customer" }]);
    checkLock(profile);
    const documentId = keyed?.documentId ?? null;
    if (!keyed || documentId === null) return { value: null, warnings: [] };
    const claimed = { value: { documentId }, warnings: [] };
    const cipher = customerCipher(deps.cipher, profile);
    const kept = keptAnswer(cipher, profile._id, keyed, claimed, isoTime(deps.clock));
    if (!(await deps.profiles.keepAnswer(profile, kept))) throw new DuplicateKey();
    return claimed;
  };
  const { value } = await once<Claimed>(deps, { partnerId, keyed, work, isLookedUpFirst: true });
  return value?.documentId ?? null;
}
