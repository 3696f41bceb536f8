import { describe, expect, test } from "@jest/globals";
import { compileCheck } from "../../../shared/input/validation.ts";

const check = compileCheck(
  {
    email: { type: "string", min: 3, max: 10 },
    note: { type: "string", optional: true },
    people: {
      type: "array",
      optional: true,
      items: { type: "object", props: { name: { type: "string" }, share: { type: "number", max: 100 } } },
    },
  },
  "ValidationControl.Error",
);

const fields = (value: unknown) => check(value).map(({ field }) => field);

describe("compileCheck", () => {
  test("a good value: no violation", () => {
    expect(check({ email: "a@b.c", people: [{ name: "x", share: 1 }] })).toEqual([]);
  });

  test("every violation at once, each with the path to it and the given code", () => {
    const violations = check({ note: 1, people: [{ name: "x", share: 1 }, { share: 101 }] });
    expect(violations.map(({ field }) => field).sort()).toEqual([
      "email",
      "note",
      "people[1].name",
      "people[1].share",
    ]);
    for (const { code, message } of violations) {
      expect(code).toBe("ValidationControl.Error");
      expect(message).not.toBe("");
    }
  });

  test("a code per error, when a function decides", () => {
    const byField = compileCheck({ a: "string", b: "string" }, ({ field }) => `Code.${field}`);
    expect(byField({}).map(({ code }) => code)).toEqual(["Code.a", "Code.b"]);
  });

  test("unknown properties: ignored", () => {
    expect(check({ email: "a@b.c", $where: "1", constructor: 1 })).toEqual([]);
  });

  test.each([[null], [undefined], ["text"], [1], [true], [[]], [[{ email: "a@b.c" }]]])(
    "%j in place of an object: one violation",
    (value) => {
      expect(fields(value)).toEqual([""]);
    },
  );

  test("a value is checked and not changed", () => {
    const value = Object.freeze({
      email: "a@b.c",
      people: Object.freeze([Object.freeze({ name: "x", share: 1 })]),
    });
    expect(check(value)).toEqual([]);
  });

  test.each([
    [[{ toString: 1 }]],
    [[{ toString: null, valueOf: null }]],
    [[[{ toString: "x", valueOf: [] }]]],
    [{ toString: 1 }],
  ])("%# what cannot be made a text, in place of one: refused with its path", (value) => {
    expect(fields({ email: "a@b.c", note: value })).toEqual(["note"]);
  });

  test("operators in place of text: refused", () => {
    expect(fields({ email: { $ne: null } })).toEqual(["email"]);
    expect(fields({ email: ["a@b.c"] })).toEqual(["email"]);
  });
});
