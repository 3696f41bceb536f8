import { describe, expect, test } from "@jest/globals";
import type { ProfileFilter } from "../../../services/profile/record/list-filter.rules.ts";
import {
  type CaseFilter,
  caseIndex,
  caseQuery,
  casesBehind,
  filterQuery,
  searchQueries,
  stateQuery,
} from "../../../services/profile/record/profile-queries.rules.ts";
import { EVERY_CASE } from "../../../services/profile/review/case-filter.rules.ts";
import { NO_FILTER } from "../../support/builders/list-filter.ts";

const NOW = "2030-01-01T00:00:00.000Z";
const query = (filter: Partial<ProfileFilter>, after: string | null = null) =>
  filterQuery("p", { ...NO_FILTER, ...filter }, after, NOW);

describe("filterQuery", () => {
  test.each<[string, Partial<ProfileFilter>, object]>([
    ["nothing", {}, {}],
    ["a reference", { partnerCustomerId: "r" }, { partnerCustomerId: "r" }],
    ["a number", { registrationNumber: "n" }, { registrationNumber: "n" }],
    ["a country", { incorporationCountryIso3Code: "NGA" }, { incorporationCountryIso3Code: "NGA" }],
    ["a type", { businessTypeCode: "LLC" }, { businessTypeCode: "LLC" }],
    ["an industry", { industry: "Grants" }, { industry: "Grants" }],
    ["a name", { companyNamePrefix: "har" }, { companyNameKey: { $gte: "har", $lt: "har\u{10FFFF}" } }],
    [
      "created from and to, both inside",
      { created: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-31T23:59:59.999Z" } },
      {
        _id: {
          $gte: expect.stringMatching(/^019b76da-a800-/),
          $lt: expect.stringMatching(/^019c167f-cc00-/),
        },
      },
    ],
    [
      "created from",
      { created: { from: "2026-01-01T00:00:00.000Z", to: null } },
      { _id: { $gte: expect.stringMatching(/^019b76da-a800-/) } },
    ],
    ["updated from and to", { updated: { from: "a", to: "b" } }, { updatedAt: { $gte: "a", $lte: "b" } }],
    ["updated to", { updated: { from: null, to: "b" } }, { updatedAt: { $lte: "b" } }],
    [
      "a state",
      { verificationStatus: "Approved", reviewStage: "Closed" },
      { verificationStatus: { $in: ["Approved"] }, reviewStage: { $in: ["Closed"] } },
    ],
  ])("%s", (_name, filter, expected) => expect(query(filter)).toEqual({ partnerId: "p", ...expected }));

  test("after a cursor: ids below it; the lower of cursor and range", () => {
    const to = "2026-01-31T23:59:59.999Z";
    const end = expect.stringMatching(/^019c167f-cc00-/);
    expect(query({}, "0500")).toEqual({ partnerId: "p", _id: { $lt: "0500" } });
    expect(query({ created: { from: null, to } }, "0100")).toMatchObject({ _id: { $lt: "0100" } });
    expect(query({ created: { from: null, to } }, "0500")).toMatchObject({ _id: { $lt: end } });
  });
});

describe("stateQuery", () => {
  test.each<[ProfileFilter["verificationStatus"], ProfileFilter["reviewStage"], object]>([
    [null, null, {}],
    [
      "Approved",
      null,
      {
        verificationStatus: "Approved",
        reviewStage: { $in: ["Queued", "UnderReview", "AwaitingPartner", "Closed"] },
      },
    ],
    [
      null,
      "Closed",
      { verificationStatus: { $in: ["Approved", "Rejected"] }, reviewStage: { $in: ["Closed"] } },
    ],
    [
      null,
      "AwaitingPartner",
      {
        verificationStatus: { $in: ["ChangesRequested", "StartedNotCompleted"] },
        reviewStage: { $in: ["AwaitingPartner"] },
      },
    ],
    [
      null,
      "UnderReview",
      {
        verificationStatus: { $in: ["PendingVerification"] },
        reviewStage: { $in: ["UnderReview"] },
        "claim.leaseUntil": { $gt: NOW },
      },
    ],
    [
      "PendingVerification",
      "Queued",
      {
        $or: [
          { verificationStatus: { $in: ["PendingVerification"] }, reviewStage: { $in: ["Queued"] } },
          {
            verificationStatus: { $in: ["PendingVerification"] },
            reviewStage: { $in: ["UnderReview"] },
            "claim.leaseUntil": { $lte: NOW },
          },
        ],
      },
    ],
    [
      "Approved",
      "UnderReview",
      {
        verificationStatus: { $in: [] },
        reviewStage: { $in: ["UnderReview"] },
        "claim.leaseUntil": { $gt: NOW },
      },
    ],
  ])("%s, %s", (status, stage, expected) => expect(stateQuery(status, stage, NOW)).toEqual(expected));
});

describe("caseIndex", () => {
  test.each<[Partial<CaseFilter>, string]>([
    [{}, "cases"],
    [{ isTest: true, reviewStage: "Queued" }, "test_cases"],
    [{ reviewStage: "Queued" }, "cases_by_status"],
    [{ verificationStatus: "Approved" }, "cases_by_status"],
    [{ incorporationCountryIso3Code: "NGA", isTest: true }, "cases_by_country"],
    [{ analystEmail: "a@b.test", incorporationCountryIso3Code: "NGA" }, "cases_of_email"],
    [{ analystId: "a1", analystEmail: "a@b.test" }, "cases_of_analyst"],
  ])("%j", (filter, index) => expect(caseIndex({ ...EVERY_CASE, ...filter })).toBe(index));
});

describe("searchQueries", () => {
  test("by reference and by name, within the partners and the filter", () => {
    const search = { namePrefix: "har", reference: "Har" };
    const filter = { ...EVERY_CASE, verificationStatus: "Rejected" } as const;
    const both = { ...caseQuery(filter, NOW), partnerId: { $in: ["p1", "p2"] } };
    expect(searchQueries(search, ["p1", "p2"], filter, NOW)).toEqual([
      { index: "reference", query: { ...both, partnerCustomerId: "Har" } },
      { index: "by_name", query: { ...both, companyNameKey: { $gte: "har", $lt: "har\u{10FFFF}" } } },
    ]);
  });
});

describe("casesBehind", () => {
  const at = "2026-01-02T03:04:05.678Z";
  test.each([
    [1, "$gte", "$lte"],
    [-1, "$lte", "$gte"],
  ] as const)("in the order %d", (order, reached, passed) => {
    expect(casesBehind({ at: new Date(at), id: "i" }, order)).toEqual({
      submittedAt: { [reached]: at },
      $nor: [{ submittedAt: at, _id: { [passed]: "i" } }],
    });
  });
});

describe("caseQuery", () => {
  const EVERY_STAGE = { $in: ["Queued", "UnderReview", "AwaitingPartner", "Closed"] };
  const UNLAPSED = { "claim.leaseUntil": { $gt: NOW } };

  test.each<[Partial<CaseFilter>, object]>([
    // Every case that is not erased.
    [{}, { submittedAt: { $gt: "" } }],
    [{ isTest: true }, { isTest: true, submittedAt: { $gt: "" } }],
    [{ analystId: "a1" }, { "claim.analystId": "a1", ...UNLAPSED }],
    [
      { analystEmail: "a@b.test", isTest: true },
      { isTest: true, "claim.analystEmail": "a@b.test", ...UNLAPSED },
    ],
    [
      { incorporationCountryIso3Code: "NGA" },
      { incorporationCountryIso3Code: "NGA", reviewStage: EVERY_STAGE },
    ],
    [
      { incorporationCountryIso3Code: "NGA", reviewStage: "Closed" },
      { incorporationCountryIso3Code: "NGA", ...stateQuery(null, "Closed", NOW) },
    ],
    [{ verificationStatus: "Rejected" }, stateQuery("Rejected", null, NOW)],
    [{ reviewStage: "Closed" }, stateQuery(null, "Closed", NOW)],
  ])("%j", (filter, expected) => {
    expect(caseQuery({ ...EVERY_CASE, ...filter }, NOW)).toEqual({ isTest: null, ...expected });
  });
});
