import { describe, expect, test } from "@jest/globals";
import {
  erasedFields,
  nameOfKey,
  readErasureReference,
  tombstoneOf,
} from "../../../services/profile/record/erased-customer.rules.ts";
import { closedQuery } from "../../../services/profile/record/profile-queries.rules.ts";
import { retentionEnds } from "../../../services/profile/upkeep/erasure-sweep.ts";
import { aStoredPerson, aStoredProfile } from "../../support/builders/stored-profile.ts";

const AT = "2031-01-01T00:00:00.000Z";

describe("the tombstone of a customer", () => {
  const profile = aStoredProfile({ people: [aStoredPerson("u1"), aStoredPerson("u2")] });
  const tombstone = tombstoneOf(profile, { by: "eve", reason: "ticket-4711" }, AT);

  test("holds ids, states, dates and the cause", () => {
    expect(tombstone).toEqual({
      _id: profile._id,
      partnerId: "erased",
      partnerCustomerId: profile._id,
      erased: {
        partnerId: profile.partnerId,
        partnerCustomerId: profile.partnerCustomerId,
        uboIds: ["u1", "u2"],
        verificationStatus: profile.verificationStatus,
        createdAt: profile.createdAt,
        submittedAt: profile.submittedAt,
        decidedAt: profile.decidedAt,
        history: profile.history,
        erasedAt: AT,
        isUnfinished: true,
        by: "eve",
        reason: "ticket-4711",
      },
    });
  });

  test("names hashed keys of requests that may still be repeated, and the people who were replaced", () => {
    const answered = (key: string, at: string) => ({
      key,
      at,
      sealedFingerprint: "f",
      value: null,
      warnings: [],
    });
    const { erased } = tombstoneOf(
      {
        ...profile,
        formerPeople: [aStoredPerson("u0")],
        keptAnswers: [
          answered("recent", "2030-12-31T23:00:00.000Z"),
          answered("expired", "2030-12-01T00:00:00.000Z"),
        ],
      },
      { by: "eve", reason: "ticket-4711" },
      AT,
    );
    expect(erased.uboIds).toEqual(["u1", "u2", "u0"]);
    expect(erased.keys).toEqual([
      { name: nameOfKey(profile.partnerId, "recent"), at: "2030-12-31T23:00:00.000Z" },
    ]);
    expect(nameOfKey(profile.partnerId, "recent")).not.toBe(nameOfKey("another partner", "recent"));
  });

  test("every other field of a profile is taken away", () => {
    const erased = erasedFields({ ...profile, isTest: true });
    const kept = Object.keys(profile).filter((name) => !Object.hasOwn(erased, name));
    expect(kept.sort()).toEqual(["_id", "partnerCustomerId", "partnerId", "sequence", "version"]);
    expect(erased).toMatchObject({ sealedKey: "", people: "", notes: "" });
  });
});

describe("the reason of an erasure", () => {
  test.each(["ticket-4711", "7", "a/b:c#d.e_f-1", `1${"a".repeat(63)}`])(
    "may be the reference %s",
    (reason) => {
      expect(readErasureReference(reason)).toBe(reason);
    },
  );

  test.each([
    ["a text with spaces", "at the request of 1 customer"],
    ["a name without a digit", "smith"],
    ["an email address", "smith1@example.test"],
    ["a leading separator", "-4711"],
    ["65 characters", "1".repeat(65)],
    ["nothing", undefined],
    ["a number", 4711],
  ])("is refused when it is %s", (_, reason) => {
    expect(() => readErasureReference(reason)).toThrow(
      expect.objectContaining({ type: "ValidationControl.Error" }),
    );
  });
});

describe("retention", () => {
  const now = Date.parse(AT);

  test("not set: nothing ever ends", () => {
    expect(retentionEnds({ retentionRejectedDays: 0, retentionApprovedDays: 0 }, now)).toEqual([]);
  });

  test.each([
    ["Rejected", { retentionRejectedDays: 1, retentionApprovedDays: 0 }, "2030-12-31T00:00:00.000Z"],
    ["Approved", { retentionRejectedDays: 0, retentionApprovedDays: 365 }, "2030-01-01T00:00:00.000Z"],
  ])("of %s customers: those unchanged since so many days", (verificationStatus, days, unchangedSince) => {
    expect(retentionEnds(days, now)).toEqual([
      { verificationStatus, unchangedSince, reason: expect.stringContaining("unchanged for") },
    ]);
  });

  test("a page goes on behind the last customer of the one before", () => {
    expect(closedQuery("Rejected", AT, null)).toEqual({
      reviewStage: "Closed",
      verificationStatus: "Rejected",
      updatedAt: { $lte: AT },
    });
    const after = { updatedAt: "2030-05-05T00:00:00.000Z", _id: "c9" };
    expect(closedQuery("Rejected", AT, after)).toEqual({
      reviewStage: "Closed",
      verificationStatus: "Rejected",
      updatedAt: { $lte: AT, $gte: after.updatedAt },
      $or: [{ updatedAt: { $gt: after.updatedAt } }, { updatedAt: after.updatedAt, _id: { $gt: "c9" } }],
    });
  });
});
