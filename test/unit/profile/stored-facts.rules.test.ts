import { describe, expect, test } from "@jest/globals";
import {
  appendViolations,
  referenceViolations,
  uboViolations,
} from "../../../services/profile/input/stored-facts.rules.ts";
import { aStoredPerson, aStoredProfile } from "../../support/builders/stored-profile.ts";

const CONTROL = "ValidationControl.Error";
const profile = aStoredProfile({
  people: [
    aStoredPerson("u1", { email: "One@x.example" }),
    aStoredPerson("u2", { email: "two@x.example" }),
    aStoredPerson("u3", { email: "gone@x.example", removedAt: "2026-02-01T00:00:00.000Z" }),
  ],
});
const people = (list: unknown) => ({ businessPersonList: list });

describe("referenceViolations", () => {
  test.each([[undefined], [null], [7], ["cust-1"]])("%j: nothing to say", (partnerCustomerId) => {
    expect(referenceViolations({ partnerCustomerId }, profile)).toEqual([]);
  });

  test.each(["cust-2", "CUST-1", ""])("%j: cannot be changed", (partnerCustomerId) => {
    expect(referenceViolations({ partnerCustomerId }, profile)).toEqual([
      {
        field: "partnerCustomerId",
        code: "Customer.PartnerCustomerIdInvalid",
        message: "cannot be changed",
      },
    ]);
  });
});

describe("uboViolations", () => {
  const at = (index: number) => `businessPersonList[${index}].uboId`;
  const stranger = (index: number) => ({
    field: at(index),
    code: "Ubo.NotFound",
    message: "is not a person of this customer",
  });
  const twice = (index: number) => ({ field: at(index), code: CONTROL, message: "appears twice" });

  test.each<[string, unknown, unknown[]]>([
    ["no list", undefined, []],
    ["a list that is none", "text", []],
    ["entries of a wrong shape", [null, 7, "u9", ["u9"]], []],
    ["people without an id", [{}, { uboId: null }, { uboId: 5 }], []],
    ["each once, in any case", [{ uboId: "U1" }, { uboId: "u2" }], []],
    ["a stranger", [{ uboId: "u1" }, { uboId: "u9" }], [stranger(1)]],
    ["a removed person", [{ uboId: "u3" }], [stranger(0)]],
    ["the same one twice", [{ uboId: "u1" }, {}, { uboId: "U1" }], [twice(2)]],
    [
      "a stranger twice: named as a stranger both times",
      [{ uboId: "u9" }, { uboId: "u9" }],
      [stranger(0), stranger(1)],
    ],
  ])("%s", (_name, list, expected) => {
    expect(uboViolations(people(list), profile)).toEqual(expected);
  });
});

describe("appendViolations", () => {
  const known = (index: number) => ({
    field: `businessPersonList[${index}].email`,
    code: CONTROL,
    message: "belongs to a person of this customer already",
  });

  test.each<[string, unknown, unknown[]]>([
    ["no list", undefined, []],
    ["no person", [], []],
    ["a new person", [{ email: "new@x.example" }], []],
    ["entries of a wrong shape", [null, { email: 7 }], []],
    ["a removed person", [{ email: "gone@x.example" }], []],
    [
      "somebody who is there, in another case",
      [{ email: "a@x.example" }, { email: "oNE@X.example" }],
      [known(1)],
    ],
  ])("%s", (_name, list, expected) => {
    expect(appendViolations(people(list), profile)).toEqual(expected);
  });

  test("an empty list for a customer that has more people than permitted: accepted", () => {
    const crowded = aStoredProfile({ people: Array.from({ length: 51 }, (_, i) => aStoredPerson(`u${i}`)) });
    expect(appendViolations(people([]), crowded)).toEqual([]);
  });

  test("with those who are there at most 50; those who were removed do not count", () => {
    const many = (count: number) => people(Array.from({ length: count }, () => ({})));
    expect(appendViolations(many(48), profile)).toEqual([]);
    expect(appendViolations(many(49), profile)).toEqual([
      { field: "businessPersonList", code: CONTROL, message: "a customer may have at most 50 people" },
    ]);
  });
});
