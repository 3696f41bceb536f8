import { describe, expect, test } from "@jest/globals";
import { isPossibleReference, readListQuery } from "../../../services/profile/record/list-filter.rules.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { NO_FILTER } from "../../support/builders/list-filter.ts";

const ID = "019b76da-a800-7000-8000-00000000000e";

describe("readListQuery", () => {
  test.each<[Record<string, string>, object]>([
    [{}, {}],
    [{ verificationStatus: "Approved" }, { verificationStatus: "Approved" }],
    [{ reviewStage: "Closed" }, { reviewStage: "Closed" }],
    [{ partnerCustomerId: "cust 1" }, { partnerCustomerId: "cust 1" }],
    [{ registrationNumber: "RC1" }, { registrationNumber: "RC1" }],
    [{ incorporationCountryIso3Code: "NGA" }, { incorporationCountryIso3Code: "NGA" }],
    [{ industry: "Grants" }, { industry: "Grants" }],
    [{ businessTypeCode: "llc" }, { businessTypeCode: "LLC" }],
    [{ businessTypeCode: "unheard" }, { businessTypeCode: "unheard" }],
    [{ companyName: "ＨARBOUR" }, { companyNamePrefix: "harbour" }],
    [{ companyName: "", industry: "" }, {}],
  ])("%j: filters by %j", (query, filter) => {
    expect(readListQuery(query).filter).toEqual({ ...NO_FILTER, ...filter });
  });

  test.each([
    [
      { page: "7", pageSize: "200" },
      { kind: "page", page: 7, pageSize: 200 },
    ],
    [{ page: "1000000" }, { kind: "page", page: 1_000_000, pageSize: 50 }],
    [
      { cursor: encodeCursor(7, ID), pageSize: "1" },
      { kind: "cursor", after: { at: new Date(7), id: ID }, pageSize: 1 },
    ],
  ])("%j: the page %j", (query, page) => expect(readListQuery(query).page).toEqual(page));
});

test.each([
  ["cust-1", true],
  ["A.b_c:d@e-f", true],
  ["a".repeat(100), true],
  ["a".repeat(101), false],
  ["-a", false],
  ["a b", false],
  ["", false],
])("isPossibleReference(%j): %s", (reference, expected) => {
  expect(isPossibleReference(reference)).toBe(expected);
});
