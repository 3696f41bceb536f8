/** Says whether a partner may upload a file for a customer now, and claims the Idempotency-Key of the request for it. */

import { isoTime } from "../../../shared/clock.ts";
import type { UploadAnswers, UploadQuestion } from "../../../shared/contract/actions/profile.ts";
import { AppError, isAppError } from "../../../shared/errors.ts";
import { keptSince, keyUnderWay } from "../../../shared/idempotency.rules.ts";
import { type PlainError, toPlainError } from "../../../shared/moleculer/grouped-call.ts";
import { isDuplicateKey } from "../../../shared/mongo/mongo.ts";
import type { Deps } from "../deps.ts";
import { getOwnProfile } from "../read/get-profile.ts";
import { livePeople } from "../record/live-people.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { customerCipher } from "./customer-key.ts";
import { firstAnswer, type KeyedRequest, keptAnswer } from "./kept-answer.ts";
import { checkLock } from "./update-guards.ts";

type UploadDeps = Pick<Deps, "profiles" | "erasures" | "clock" | "cipher">;
type Answer = { refusal: PlainError | null; documentId: string | null };

/** Fails where a question cannot be answered. */
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

/** The document of the first request with this key counts, whatever would refuse it now. */
async function answerUpload(
  deps: UploadDeps,
  { customerId, partnerId, uboId, keyed = null }: UploadQuestion,
): Promise<string | null> {
  const first = keyed && (await firstAnswer<ClaimedDocument>(deps, partnerId, keyed));
  if (first) return first.value.documentId;
  const profile = await getOwnProfile(deps, partnerId, customerId);
  if (uboId !== null && !livePeople(profile.people).some((person) => person.uboId === uboId))
    throw new AppError("Ubo.NotFound", "uboId: is not a person of this customer", {
      details: [{ field: "uboId", code: "Ubo.NotFound", message: "is not a person of this customer" }],
    });
  checkLock(profile);
  const documentId = keyed?.documentId ?? null;
  return keyed && documentId !== null ? claim(deps, profile, keyed, { documentId }) : null;
}

/** Kept as the answer, because the link is a signature of what its id leads to. */
type ClaimedDocument = { documentId: string };

async function claim(
  deps: UploadDeps,
  profile: Profile,
  keyed: KeyedRequest,
  value: ClaimedDocument,
): Promise<string> {
  const { profiles, cipher, clock } = deps;
  const answer = { value, warnings: [] };
  const kept = keptAnswer(customerCipher(cipher, profile), profile._id, keyed, answer, isoTime(clock));
  try {
    if (await profiles.keepAnswer(profile, kept, keptSince(clock.now()))) return value.documentId;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // Another request with this key was stored between the look and the write.
  const first = await firstAnswer<ClaimedDocument>(deps, profile.partnerId, keyed);
  if (!first) throw keyUnderWay();
  return first.value.documentId;
}
