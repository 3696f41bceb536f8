/** The states of a review and every step between them. What is not written here does not happen. */
import type { ReviewState } from "../../../shared/contract/answers/customer.ts";
import type { Claim } from "./profile.types.ts";

export type Trigger =
  | { kind: "create" }
  /** A PUT or PATCH that changed something. */
  | { kind: "update"; answered: number; openLeft: number; patchedPeople: boolean; touchesReviewed: boolean }
  | { kind: "document"; answered: number; openLeft: number }
  | { kind: "claim" }
  | { kind: "release" }
  | { kind: "requestChanges" }
  | { kind: "approve" }
  | { kind: "reject" };

export type Refusal =
  | "Customer.UnderReview"
  | "Customer.VerificationClosed"
  | "Case.InvalidState"
  | "Case.AlreadyClaimed";
type Step = { next: ReviewState } | { refusal: Refusal };

const QUEUED: ReviewState = { verificationStatus: "PendingVerification", reviewStage: "Queued" };
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

export function transition(state: ReviewState | null, trigger: Trigger): Step {
  if (state === null) return trigger.kind === "create" ? { next: QUEUED } : { refusal: "Case.InvalidState" };
  switch (trigger.kind) {
    case "create":
      return { refusal: "Case.InvalidState" };
    case "update":
      return update(state, trigger);
    case "document":
      // A file that arrives is a fact: it is recorded whatever the state.
      return { next: answered(state, trigger) };
    case "claim":
      if (is(state, UNDER_REVIEW)) return { refusal: "Case.AlreadyClaimed" };
      return is(state, QUEUED) ? { next: UNDER_REVIEW } : { refusal: "Case.InvalidState" };
    case "release":
      return fromReview(state, QUEUED);
    case "requestChanges":
      return fromReview(state, CHANGES_REQUESTED);
    case "approve":
      return fromReview(state, APPROVED);
    case "reject":
      return fromReview(state, REJECTED);
  }
}

/** For a step that was found to be allowed before. */
export function mustTransition(state: ReviewState | null, trigger: Trigger): ReviewState {
  const step = transition(state, trigger);
  if ("refusal" in step) throw new Error(`A step was taken although it is refused: ${step.refusal}`);
  return step.next;
}

function update(state: ReviewState, trigger: Extract<Trigger, { kind: "update" }>): Step {
  const refusal = lockOf(state);
  if (refusal) return { refusal };
  if (is(state, APPROVED)) return { next: trigger.touchesReviewed ? QUEUED : APPROVED };
  if (isWithPartner(state) && trigger.patchedPeople) return { next: QUEUED };
  return { next: answered(state, trigger) };
}

/** Why a partner may not change the package now; null when it may. */
export function lockOf(state: ReviewState): "Customer.UnderReview" | "Customer.VerificationClosed" | null {
  if (is(state, UNDER_REVIEW)) return "Customer.UnderReview";
  return is(state, REJECTED) ? "Customer.VerificationClosed" : null;
}

function answered(
  state: ReviewState,
  { answered: count, openLeft }: { answered: number; openLeft: number },
): ReviewState {
  if (!isWithPartner(state) || count === 0) return state;
  return openLeft === 0 ? QUEUED : PARTLY_ANSWERED;
}

const fromReview = (state: ReviewState, next: ReviewState): Step =>
  is(state, UNDER_REVIEW) ? { next } : { refusal: "Case.InvalidState" };

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
