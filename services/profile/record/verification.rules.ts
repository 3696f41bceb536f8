/** The states of a review and every step between them. A step that is not written here is not possible. */
import type { ReviewState } from "../../../shared/contract/answers/customer.ts";
import type { Claim } from "./profile.types.ts";

export const QUEUED: ReviewState = { verificationStatus: "PendingVerification", reviewStage: "Queued" };
const UNDER_REVIEW: ReviewState = { verificationStatus: "PendingVerification", reviewStage: "UnderReview" };
const CHANGES_REQUESTED: ReviewState = {
  verificationStatus: "ChangesRequested",
  reviewStage: "AwaitingPartner",
};
const PARTLY_ANSWERED: ReviewState = {
  verificationStatus: "StartedNotCompleted",
  reviewStage: "AwaitingPartner",
};
const APPROVED: ReviewState = { verificationStatus: "Approved", reviewStage: "Closed" };
const REJECTED: ReviewState = { verificationStatus: "Rejected", reviewStage: "Closed" };

/** Every state a customer can be in. */
export const REVIEW_STATES = [
  QUEUED,
  UNDER_REVIEW,
  CHANGES_REQUESTED,
  PARTLY_ANSWERED,
  APPROVED,
  REJECTED,
] as const;

/** The steps of an analyst. */
const AFTER = {
  claim: UNDER_REVIEW,
  release: QUEUED,
  requestChanges: CHANGES_REQUESTED,
  approve: APPROVED,
  reject: REJECTED,
} as const;
export type StepKind = keyof typeof AFTER;
export type Refusal = "Case.InvalidState" | "Case.AlreadyClaimed";

export function transition(state: ReviewState, kind: StepKind): { next: ReviewState } | { refusal: Refusal } {
  if (kind === "claim" && is(state, UNDER_REVIEW)) return { refusal: "Case.AlreadyClaimed" };
  const isPossible = is(state, kind === "claim" ? QUEUED : UNDER_REVIEW);
  return isPossible ? { next: AFTER[kind] } : { refusal: "Case.InvalidState" };
}

/** A change of one of these needs a new look at an approved customer. */
export const REVIEWED_FIELDS: ReadonlySet<string> = new Set([
  "companyName",
  "registrationNumber",
  "registrationDate",
  "incorporationCountryIso3Code",
  "businessTypeCode",
  "addresses",
  "businessPersonList",
]);

type Answers = { answered: number; openLeft: number };

/** The state after a PUT or PATCH that changed something. `lockOf` has allowed it. */
export function afterUpdate(
  state: ReviewState,
  {
    patchedPeople,
    touchesReviewed,
    ...answers
  }: Answers & { patchedPeople: boolean; touchesReviewed: boolean },
): ReviewState {
  if (is(state, APPROVED)) return touchesReviewed ? QUEUED : APPROVED;
  return isWithPartner(state) && patchedPeople ? QUEUED : afterAnswers(state, answers);
}

/** The state after an update or a document. A document that arrives is a fact: it is recorded in every state. */
export function afterAnswers(state: ReviewState, { answered, openLeft }: Answers): ReviewState {
  if (!isWithPartner(state) || answered === 0) return state;
  return openLeft === 0 ? QUEUED : PARTLY_ANSWERED;
}

/** Why a partner may not change the package now; null when it may. */
export function lockOf(state: ReviewState): "Customer.UnderReview" | "Customer.VerificationClosed" | null {
  if (is(state, UNDER_REVIEW)) return "Customer.UnderReview";
  return is(state, REJECTED) ? "Customer.VerificationClosed" : null;
}

const isWithPartner = (state: ReviewState): boolean =>
  is(state, CHANGES_REQUESTED) || is(state, PARTLY_ANSWERED);

const is = (a: ReviewState, b: ReviewState): boolean =>
  a.verificationStatus === b.verificationStatus && a.reviewStage === b.reviewStage;

export const CLAIM_LEASE_MS = 8 * 60 * 60 * 1_000;

type Claimed = ReviewState & { claim: Claim | null };

/** A claim ends after eight hours without a step, whether or not its end was stored. */
export function currentState<T extends Claimed>(profile: T, nowIso: string): T {
  const lapsed = profile.claim !== null && profile.claim.leaseUntil <= nowIso;
  return lapsed ? { ...profile, claim: null, reviewStage: "Queued" } : profile;
}
