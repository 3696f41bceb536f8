import { describe, expect, test } from "@jest/globals";
import { readConfigChange } from "../../../services/profile/country/config-input.rules.ts";

const rule = (identityTypeCode: string, pattern = "^[0-9]{9}$", more = {}) => ({
  identityTypeCode,
  pattern,
  ...more,
});

describe("readConfigChange", () => {
  test("nothing given: nothing but an empty reason", () => {
    const nothing = { documents: null, active: null, validFrom: null, validTo: null, reason: null };
    expect(readConfigChange("NGA", {})).toEqual({ reason: "" });
    expect(readConfigChange("NGA", nothing)).toEqual({ reason: "" });
  });

  test("documents: what is left out is filled in, lengths follow from the pattern", () => {
    const documents = [
      rule("PASSPORT", "^[A-Z]{1,2}[0-9]{7}$", { label: "Reisepass", requiresExpiryDate: true }),
      rule("BVN", "^[0-9]{11}$", { issuingCountryRule: "Any", check: "luhn", checkRefuses: true }),
    ];
    expect(readConfigChange("DEU", { documents }).documents).toEqual([
      {
        identityTypeCode: "PASSPORT",
        label: "Reisepass",
        pattern: "^[A-Z]{1,2}[0-9]{7}$",
        minLength: 8,
        maxLength: 9,
        requiresIssueDate: false,
        requiresExpiryDate: true,
        requiresDocument: false,
        issuingCountryRule: "ResidenceOnly",
        check: null,
        checkRefuses: false,
      },
      {
        identityTypeCode: "BVN",
        label: "Bank Verification Number (BVN)",
        pattern: "^[0-9]{11}$",
        minLength: 11,
        maxLength: 11,
        requiresIssueDate: false,
        requiresExpiryDate: false,
        requiresDocument: false,
        issuingCountryRule: "Any",
        check: "luhn",
        checkRefuses: true,
      },
    ]);
  });

  test("active false, times in any zone, a reason: taken over, times in UTC", () => {
    const body = {
      active: false,
      validFrom: "2030-01-01T01:00:00+01:00",
      validTo: "2030-01-02",
      reason: "review",
    };
    expect(readConfigChange("NGA", body)).toEqual({
      active: false,
      validFrom: "2030-01-01T00:00:00.000Z",
      validTo: "2030-01-02T00:00:00.000Z",
      reason: "review",
    });
    expect(readConfigChange("NGA", { active: true })).toEqual({ active: true, reason: "" });
  });

  test.each(["ZZZ", "nga", ""])("the country %j: not found", (code) => {
    expect(() => readConfigChange(code, {})).toThrow(
      expect.objectContaining({ type: "Country.NotFound", code: 404 }),
    );
  });

  test.each<[string, unknown, string[]]>([
    ["no object", [], [""]],
    ["no documents at all", { documents: [] }, ["documents"]],
    ["an unknown type", { documents: [rule("NATIONAL_ID")] }, ["documents[0].identityTypeCode"]],
    [
      "a check nobody knows",
      { documents: [rule("BVN", "^[0-9]{9}$", { check: "x" })] },
      ["documents[0].check"],
    ],
    [
      "a type twice",
      { documents: [rule("BVN"), rule("OTHERS"), rule("BVN")] },
      ["documents[2].identityTypeCode"],
    ],
    [
      "a pattern without a bound",
      { documents: [rule("OTHERS"), rule("BVN", "^[0-9]+$")] },
      ["documents[1].pattern"],
    ],
    [
      "a type twice with a bad pattern",
      { documents: [rule("BVN"), rule("BVN", "^a")] },
      ["documents[1].identityTypeCode", "documents[1].pattern"],
    ],
    ["a beginning that is no time", { validFrom: "soon" }, ["validFrom"]],
    ["an end that is no time", { validTo: "later" }, ["validTo"]],
    ["an end at the beginning", { validFrom: "2030-01-01", validTo: "2030-01-01" }, ["validTo"]],
    ["an end before the beginning", { validFrom: "2030-01-02", validTo: "2030-01-01" }, ["validTo"]],
    ["a reason that cannot be stored", { reason: "a\0" }, ["reason"]],
    ["a reason of 501 characters", { reason: "a".repeat(501) }, ["reason"]],
    ["active as a text", { active: "no" }, ["active"]],
    ["a fault of the shape hides the others", { active: "no", validFrom: "soon" }, ["active"]],
  ])("%s: refused", (_name, body, fields) => {
    expect(() => readConfigChange("NGA", body)).toThrow(
      expect.objectContaining({
        type: "ValidationControl.Error",
        data: {
          details: fields.map((field) => expect.objectContaining({ field, code: "ValidationControl.Error" })),
        },
      }),
    );
  });

  test("the message is that of the first fault, with its field", () => {
    expect(() => readConfigChange("NGA", { documents: [rule("BVN", "^[0-9]+$")] })).toThrow(
      "documents[0].pattern: repeats without a bound",
    );
    expect(() => readConfigChange("NGA", 7)).toThrow(/^must be a JSON object$/);
  });
});
