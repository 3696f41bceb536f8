import { describe, expect, test } from "@jest/globals";
import { clampLists } from "../../../services/profile/input/clamp.rules.ts";

const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("clampLists", () => {
  test("a body within the bounds: stays as it is", () => {
    const person = { identities: many(10, {}), ownershipType: many(4, "UBO") };
    const body = {
      addresses: many(10, {}),
      businessPersonList: many(50, person),
      businessDocumentIdList: many(100, "d"),
    };
    const { raw, violations } = clampLists(body, "Shape");
    expect(raw).toEqual(body);
    expect(violations).toEqual([]);
  });

  test.each([
    ["addresses", 10],
    ["businessPersonList", 50],
    ["businessDocumentIdList", 100],
  ])("%s: cut to %i, and said so", (field, max) => {
    const body = { [field]: Array.from({ length: max + 1 }, (_, index) => index) };
    const { raw, violations } = clampLists(body, "Shape");
    expect(raw[field]).toEqual(Array.from({ length: max }, (_, index) => index));
    expect(violations).toEqual([{ field, code: "Shape", message: `must have at most ${max} entries` }]);
    expect(body[field]).toHaveLength(max + 1);
  });

  test("identities of a person: cut to 10, and said so", () => {
    const plain = { email: "a" };
    const body = { businessPersonList: [plain, { email: "b", identities: many(11, "i") }] };
    const { raw, violations } = clampLists(body, "Shape");
    expect(raw.businessPersonList).toEqual([plain, { email: "b", identities: many(10, "i") }]);
    expect(violations).toEqual([
      {
        field: "businessPersonList[1].identities",
        code: "ValidationControl.Error",
        message: "must have at most 10 entries",
      },
    ]);
  });

  test("ownership types: cut to 4 without a word, because the fourth repeats one and is refused for that", () => {
    const { raw, violations } = clampLists(
      { businessPersonList: [{ ownershipType: many(9, "UBO") }] },
      "Shape",
    );
    expect(raw.businessPersonList).toEqual([{ ownershipType: many(4, "UBO") }]);
    expect(violations).toEqual([]);
  });

  test("null entries: become false, which the check names by their place", () => {
    const body = {
      addresses: [null, 1],
      businessPersonList: [null, { identities: [null], ownershipType: ["UBO", null] }],
      businessDocumentIdList: ["a", null],
    };
    expect(clampLists(body, "Shape")).toEqual({
      raw: {
        addresses: [false, 1],
        businessPersonList: [false, { identities: [false], ownershipType: ["UBO", false] }],
        businessDocumentIdList: ["a", false],
      },
      violations: [],
    });
  });

  test.each([["text"], [null], [{ length: 99 }], [7]])("%j in place of a list: stays as it is", (value) => {
    const body = {
      addresses: value,
      businessPersonList: [value, { identities: value, ownershipType: value }],
    };
    const expected =
      value === null ? { ...body, businessPersonList: [false, body.businessPersonList[1]] } : body;
    expect(clampLists(body, "Shape")).toEqual({ raw: expected, violations: [] });
  });
});
