import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Claim } from "../../../services/profile/record/profile.types.ts";
import {
  afterAnswers,
  afterUpdate,
  CLAIM_LEASE_MS,
  currentState,
  lockOf,
  REVIEW_STATES,
  REVIEWED_FIELDS,
  type StepKind,
  transition,
} from "../../../services/profile/record/verification.rules.ts";
import type { ReviewState } from "../../../shared/contract/answers/customer.ts";

const QUEUED = { verificationStatus: "PendingVerification", reviewStage: "Queued" } as const;
const CLAIMED = { verificationStatus: "PendingVerification", reviewStage: "UnderReview" } as const;
const CHANGES = { verificationStatus: "ChangesRequested", reviewStage: "AwaitingPartner" } as const;
const STARTED = { verificationStatus: "StartedNotCompleted", reviewStage: "AwaitingPartner" } as const;
const APPROVED = { verificationStatus: "Approved", reviewStage: "Closed" } as const;
const REJECTED = { verificationStatus: "Rejected", reviewStage: "Closed" } as const;
const STATES = [QUEUED, CLAIMED, CHANGES, STARTED, APPROVED, REJECTED];

/** The steps of an analyst, row by row; whatever is not here must be refused. */
const STEPS: [StepKind, ReviewState, ReviewState][] = [
  ["claim", QUEUED, CLAIMED],
  ["release", CLAIMED, QUEUED],
  ["requestChanges", CLAIMED, CHANGES],
  ["approve", CLAIMED, APPROVED],
  ["reject", CLAIMED, REJECTED],
];

describe("transition", () => {
  test.each(STEPS)("%s: from one state to the next, and from every other state refused", (kind, from, to) => {
    expect(transition(from, kind)).toEqual({ next: to });
    for (const state of STATES.filter((each) => each !== from)) {
      const refusal = kind === "claim" && state === CLAIMED ? "Case.AlreadyClaimed" : "Case.InvalidState";
      expect([state, transition(state, kind)]).toEqual([state, { refusal }]);
    }
  });
});

describe("the state after an update", () => {
  const nothing = { answered: 0, openLeft: 2, patchedPeople: false, touchesReviewed: false };
  const some = { ...nothing, answered: 1, openLeft: 1 };
  const all = { ...nothing, answered: 1, openLeft: 0 };
  const people = { ...nothing, patchedPeople: true };
  const reviewed = { ...nothing, touchesReviewed: true };

  test.each<[string, ReviewState, typeof nothing, ReviewState]>([
    ["in the queue: stays there", QUEUED, { ...people, touchesReviewed: true }, QUEUED],
    ["answers nothing", CHANGES, nothing, CHANGES],
    ["answers some", CHANGES, some, STARTED],
    ["answers all", CHANGES, all, QUEUED],
    ["a PATCH with people", CHANGES, people, QUEUED],
    ["no answer after some", STARTED, nothing, STARTED],
    ["more answers, some left", STARTED, some, STARTED],
    ["the last answer", STARTED, all, QUEUED],
    ["a PATCH with people after some answers", STARTED, people, QUEUED],
    ["a change of what was reviewed", APPROVED, reviewed, QUEUED],
    ["a change of something else", APPROVED, nothing, APPROVED],
  ])("%s", (_name, from, update, to) => expect(afterUpdate(from, update)).toEqual(to));

  test.each<[ReviewState, ReviewState, ReviewState, ReviewState]>([
    [QUEUED, QUEUED, QUEUED, QUEUED],
    [CLAIMED, CLAIMED, CLAIMED, CLAIMED],
    [CHANGES, CHANGES, STARTED, QUEUED],
    [STARTED, STARTED, STARTED, QUEUED],
    [APPROVED, APPROVED, APPROVED, APPROVED],
    [REJECTED, REJECTED, REJECTED, REJECTED],
  ])("a document in %j: answers nothing, some, all", (from, ...expected) => {
    expect([nothing, some, all].map((answers) => afterAnswers(from, answers))).toEqual(expected);
  });

  test("in any order of steps and updates: the state is always a known one", () => {
    const step = fc.constantFrom(...STEPS.map(([kind]) => kind));
    const update = fc.record({
      answered: fc.nat(3),
      openLeft: fc.nat(3),
      patchedPeople: fc.boolean(),
      touchesReviewed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.constantFrom(...REVIEW_STATES), fc.array(fc.oneof(step, update)), (first, made) => {
        let state: ReviewState = first;
        for (const one of made) {
          const taken = typeof one === "string" ? transition(state, one) : { next: afterUpdate(state, one) };
          if ("next" in taken) state = taken.next;
          expect(REVIEW_STATES).toContainEqual(state);
        }
      }),
    );
  });
});

test("only what a partner may change is unlocked", () => {
  expect(STATES.map(lockOf)).toEqual([
    null,
    "Customer.UnderReview",
    null,
    null,
    null,
    "Customer.VerificationClosed",
  ]);
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

test("an approved customer is reviewed again after a change of a reviewed field", () => {
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
