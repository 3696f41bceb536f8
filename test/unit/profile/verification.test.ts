import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Claim } from "../../../services/profile/record/profile.types.ts";
import {
  CLAIM_LEASE_MS,
  currentState,
  lockOf,
  REVIEW_STATES,
  REVIEWED_FIELDS,
  type Trigger,
  transition,
} from "../../../services/profile/record/verification.rules.ts";
import type { ReviewState } from "../../../shared/contract/answers/customer.ts";

const QUEUED = { verificationStatus: "PendingVerification", reviewStage: "Queued" } as const;
const CLAIMED = { verificationStatus: "PendingVerification", reviewStage: "UnderReview" } as const;
const CHANGES = { verificationStatus: "ChangesRequested", reviewStage: "AwaitingPartner" } as const;
const STARTED = { verificationStatus: "StartedNotCompleted", reviewStage: "AwaitingPartner" } as const;
const APPROVED = { verificationStatus: "Approved", reviewStage: "Closed" } as const;
const REJECTED = { verificationStatus: "Rejected", reviewStage: "Closed" } as const;

const update = (changes: Partial<Extract<Trigger, { kind: "update" }>> = {}): Trigger => ({
  kind: "update",
  answered: 0,
  openLeft: 0,
  patchedPeople: false,
  touchesReviewed: false,
  ...changes,
});
const document = (answered: number, openLeft: number): Trigger => ({ kind: "document", answered, openLeft });

/** From, trigger, to: the table of the review, row by row; whatever is not here must be refused. */
const EDGES: [string, ReviewState | null, Trigger, ReviewState][] = [
  ["create", null, { kind: "create" }, QUEUED],
  ["an update keeps the place", QUEUED, update({ touchesReviewed: true, patchedPeople: true }), QUEUED],
  ["a document keeps the place", QUEUED, document(0, 0), QUEUED],
  ["claim", QUEUED, { kind: "claim" }, CLAIMED],
  ["release", CLAIMED, { kind: "release" }, QUEUED],
  ["request changes", CLAIMED, { kind: "requestChanges" }, CHANGES],
  ["approve", CLAIMED, { kind: "approve" }, APPROVED],
  ["reject", CLAIMED, { kind: "reject" }, REJECTED],
  ["a document while claimed", CLAIMED, document(0, 0), CLAIMED],
  ["an update that answers nothing", CHANGES, update({ openLeft: 2 }), CHANGES],
  ["an update that answers some", CHANGES, update({ answered: 1, openLeft: 1 }), STARTED],
  ["a document that answers nothing", CHANGES, document(0, 1), CHANGES],
  ["a document that answers nothing more", STARTED, document(0, 1), STARTED],
  ["a document that answers some more", STARTED, document(1, 1), STARTED],
  ["a document that answers some", CHANGES, document(1, 1), STARTED],
  ["an update that answers all", CHANGES, update({ answered: 2, openLeft: 0 }), QUEUED],
  ["a document that answers all", CHANGES, document(1, 0), QUEUED],
  ["a PATCH with people", CHANGES, update({ patchedPeople: true, openLeft: 2 }), QUEUED],
  ["more answers, some left", STARTED, update({ answered: 1, openLeft: 1 }), STARTED],
  ["no answer", STARTED, update({ openLeft: 1 }), STARTED],
  ["the last answer", STARTED, update({ answered: 1, openLeft: 0 }), QUEUED],
  ["the last answer by a document", STARTED, document(1, 0), QUEUED],
  ["a PATCH with people after some answers", STARTED, update({ patchedPeople: true, openLeft: 1 }), QUEUED],
  ["a change of what was reviewed", APPROVED, update({ touchesReviewed: true }), QUEUED],
  ["a change of something else", APPROVED, update(), APPROVED],
  ["a document after the approval", APPROVED, document(0, 0), APPROVED],
  ["a document after the rejection", REJECTED, document(0, 0), REJECTED],
];

describe("transition", () => {
  test.each(EDGES)("%s", (_name, from, trigger, to) => {
    expect(transition(from, trigger)).toEqual({ next: to });
  });

  test.each<[string, ReviewState, Trigger, string]>([
    ["an update while claimed", CLAIMED, update(), "Customer.UnderReview"],
    ["an update after the rejection", REJECTED, update(), "Customer.VerificationClosed"],
    ["a second claim", CLAIMED, { kind: "claim" }, "Case.AlreadyClaimed"],
    ["a claim while the partner works", CHANGES, { kind: "claim" }, "Case.InvalidState"],
    ["a claim of a decided case", APPROVED, { kind: "claim" }, "Case.InvalidState"],
    ["a release without a claim", QUEUED, { kind: "release" }, "Case.InvalidState"],
    ["an approval without a claim", QUEUED, { kind: "approve" }, "Case.InvalidState"],
    ["a second decision", REJECTED, { kind: "approve" }, "Case.InvalidState"],
    ["a second create", QUEUED, { kind: "create" }, "Case.InvalidState"],
  ])("%s is refused", (_name, from, trigger, refusal) => {
    expect(transition(from, trigger)).toEqual({ refusal });
  });

  const anyState = fc.constantFrom<ReviewState | null>(null, ...REVIEW_STATES);
  const anyTrigger: fc.Arbitrary<Trigger> = fc.oneof(
    fc.constantFrom<Trigger>(
      { kind: "create" },
      { kind: "claim" },
      { kind: "release" },
      { kind: "requestChanges" },
      { kind: "approve" },
      { kind: "reject" },
    ),
    fc.record({ kind: fc.constant("document" as const), answered: fc.nat(3), openLeft: fc.nat(3) }),
    fc.record({
      kind: fc.constant("update" as const),
      answered: fc.nat(3),
      openLeft: fc.nat(3),
      patchedPeople: fc.boolean(),
      touchesReviewed: fc.boolean(),
    }),
  );

  test("whatever happens in whatever order, the state stays in its table and a refusal changes nothing", () => {
    const edges = new Set(EDGES.map(([, from, { kind }, to]) => JSON.stringify([from, kind, to])));
    fc.assert(
      fc.property(anyState, fc.array(anyTrigger, { maxLength: 60 }), (first, triggers) => {
        let state: ReviewState | null = first;
        for (const trigger of triggers) {
          const step = transition(state, trigger);
          if ("refusal" in step) continue;
          expect(REVIEW_STATES).toContainEqual(step.next);
          expect(edges).toContain(JSON.stringify([state, trigger.kind, step.next]));
          state = step.next;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("only what a partner may change is unlocked", () => {
    expect(
      REVIEW_STATES.map((state) => [state.verificationStatus, state.reviewStage, lockOf(state)]),
    ).toEqual([
      ["PendingVerification", "Queued", null],
      ["PendingVerification", "UnderReview", "Customer.UnderReview"],
      ["ChangesRequested", "AwaitingPartner", null],
      ["StartedNotCompleted", "AwaitingPartner", null],
      ["Approved", "Closed", null],
      ["Rejected", "Closed", "Customer.VerificationClosed"],
    ]);
  });
});

describe("currentState", () => {
  const claim: Claim = {
    analystId: "a",
    analystEmail: "a@operator.test",
    claimedAt: "2030-01-01T00:00:00.000Z",
    leaseUntil: "2030-01-01T08:00:00.000Z",
  };

  test("keeps a claim inside its eight hours", () => {
    const profile = { ...CLAIMED, claim };
    expect(currentState(profile, "2030-01-01T07:59:59.999Z")).toBe(profile);
  });

  test("ends it afterwards: queued, unlocked", () => {
    const state = currentState({ ...CLAIMED, claim }, "2030-01-01T08:00:00.000Z");
    expect(state).toEqual({ ...QUEUED, claim: null });
    expect(lockOf(state)).toBeNull();
  });
});

test("a claim lasts eight hours", () => expect(CLAIM_LEASE_MS).toBe(28_800_000));

test("an approved customer is looked at again for what the review was about", () => {
  expect([...REVIEWED_FIELDS].sort()).toEqual([
    "addresses",
    "businessPersonList",
    "businessTypeCode",
    "companyName",
    "incorporationCountryIso3Code",
    "registrationDate",
    "registrationNumber",
  ]);
});
