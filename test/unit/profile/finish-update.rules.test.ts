import { describe, expect, test } from "@jest/globals";
import { type Changes, NO_CHANGES } from "../../../services/profile/change/change-requests.rules.ts";
import { type Cause, finishUpdate, withState } from "../../../services/profile/change/finish-update.rules.ts";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import { aStoredProfile } from "../../support/builders/stored-profile.ts";

const AT = "2030-01-01T00:00:00.000Z";
const BEFORE = "2026-01-01T00:00:00.000Z";
const request = (id: string, field: string): Profile["changeRequests"][number] => ({
  changeRequestId: id,
  target: { kind: "Business", uboId: null, documentCategory: null, field },
  reasonCode: "Other",
  message: "please",
  status: "Open",
  requestedAt: BEFORE,
  respondedAt: null,
});
const asked: Partial<Profile> = {
  verificationStatus: "ChangesRequested",
  reviewStage: "AwaitingPartner",
  changeRequests: [request("a", "website"), request("b", "email")],
  openChangeRequestCount: 2,
};
const approved: Partial<Profile> = {
  verificationStatus: "Approved",
  reviewStage: "Closed",
  decidedAt: BEFORE,
  decision: { outcome: "Approved", reasons: [] },
};
const fields = (...names: string[]): Changes => ({ ...NO_CHANGES, fields: names });

function settle(state: Partial<Profile>, changes: Changes, cause: Cause = "patch"): Profile {
  const before = aStoredProfile(state);
  const settled = finishUpdate(before, { next: { ...before, description: "new" }, changes }, cause, AT);
  if (!settled) throw new Error("nothing was settled");
  return settled;
}

describe("finishUpdate", () => {
  test("nothing changed: null", () => {
    const before = aStoredProfile();
    expect(finishUpdate(before, { next: before, changes: NO_CHANGES }, "patch", AT)).toBeNull();
  });

  test("in the queue: the next version, the same place", () => {
    expect(settle({}, fields("website"))).toEqual(
      aStoredProfile({ description: "new", version: 2, updatedAt: AT }),
    );
  });

  test("two requests of which one is answered: started, one left open", () => {
    expect(settle(asked, fields("website"))).toMatchObject({
      verificationStatus: "StartedNotCompleted",
      reviewStage: "AwaitingPartner",
      openChangeRequestCount: 1,
      changeRequests: [
        { changeRequestId: "a", status: "Answered", respondedAt: AT },
        { changeRequestId: "b", status: "Open", respondedAt: null },
      ],
      statusChangedAt: AT,
      submittedAt: BEFORE,
    });
  });

  test("the last request answered: back at the end of the queue", () => {
    expect(settle(asked, fields("website", "email"))).toMatchObject({
      verificationStatus: "PendingVerification",
      reviewStage: "Queued",
      openChangeRequestCount: 0,
      submittedAt: AT,
    });
  });

  test.each<[Cause, string]>([
    ["patch", "PendingVerification"],
    ["replace", "ChangesRequested"],
    ["document", "ChangesRequested"],
  ])("people added by %s while requests are open: %s", (cause, status) => {
    const changes = { ...NO_CHANGES, fields: ["businessPersonList"], addedUboIds: ["u9"] };
    expect(settle(asked, changes, cause).verificationStatus).toBe(status);
  });

  test.each([
    [["website", "companyName"], "PendingVerification"],
    [["website"], "Approved"],
  ])("of an approved customer %j: %s", (names, status) => {
    expect(settle(approved, fields(...names))).toMatchObject({
      verificationStatus: status,
      decision: status === "Approved" ? { outcome: "Approved" } : null,
    });
  });
});

describe("withState", () => {
  test("the same state: the very same profile", () => {
    const profile = aStoredProfile();
    expect(withState(profile, { verificationStatus: "PendingVerification", reviewStage: "Queued" }, AT)).toBe(
      profile,
    );
  });

  test("another stage: no new status, no history", () => {
    const profile = aStoredProfile();
    const state = { verificationStatus: "PendingVerification", reviewStage: "UnderReview" } as const;
    expect(withState(profile, state, AT)).toEqual({ ...profile, reviewStage: "UnderReview" });
  });

  test("another status: its time and the history say so; a decision stays", () => {
    const profile = aStoredProfile({ decidedAt: BEFORE, decision: { outcome: "Approved", reasons: [] } });
    const state = { verificationStatus: "Approved", reviewStage: "Closed" } as const;
    expect(withState(profile, state, AT)).toEqual({
      ...profile,
      ...state,
      statusChangedAt: AT,
      history: [
        { status: "PendingVerification", at: BEFORE },
        { status: "Approved", at: AT },
      ],
    });
  });

  test("back in the queue: submitted anew, the decision is gone", () => {
    const profile = aStoredProfile(approved);
    const state = { verificationStatus: "PendingVerification", reviewStage: "Queued" } as const;
    expect(withState(profile, state, AT)).toMatchObject({
      ...state,
      submittedAt: AT,
      statusChangedAt: AT,
      decidedAt: null,
      decision: null,
    });
  });
});
