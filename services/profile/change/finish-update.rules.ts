/** Consequences of a change: answered requests, the next state, the version, the times. */

import type { ReviewState } from "../../../shared/contract/answers/customer.ts";
import type { Profile } from "../record/profile.types.ts";
import { afterAnswers, afterUpdate, REVIEWED_FIELDS } from "../record/verification.rules.ts";
import { answerRequests } from "./change-requests.rules.ts";
import type { Update } from "./profile-update.rules.ts";

export type Cause = "replace" | "patch" | "document";

/** Null when nothing changed at all. */
export function finishUpdate(
  before: Profile,
  { next, changes }: Update,
  cause: Cause,
  at: string,
): Profile | null {
  if (next === before) return null;
  const { changeRequests, ...answers } = answerRequests(before.changeRequests, changes, at);
  const state =
    cause === "document"
      ? afterAnswers(before, answers)
      : afterUpdate(before, {
          ...answers,
          patchedPeople: cause === "patch" && changes.addedUboIds.length > 0,
          touchesReviewed: changes.fields.some((field) => REVIEWED_FIELDS.has(field)),
        });
  return {
    ...withState(next, state, at),
    changeRequests,
    openChangeRequestCount: answers.openLeft,
    version: before.version + 1,
    updatedAt: at,
  };
}

/** A resubmitted customer goes to the end of the queue; one that stays queued keeps its place. */
export function withState(profile: Profile, state: ReviewState, at: string): Profile {
  const { verificationStatus, reviewStage } = state;
  if (verificationStatus === profile.verificationStatus)
    return reviewStage === profile.reviewStage ? profile : { ...profile, reviewStage };
  const isResubmitted = verificationStatus === "PendingVerification";
  return {
    ...profile,
    verificationStatus,
    reviewStage,
    statusChangedAt: at,
    history: [...profile.history, { status: verificationStatus, at }],
    ...(isResubmitted ? { submittedAt: at, decidedAt: null, decision: null } : {}),
  };
}
