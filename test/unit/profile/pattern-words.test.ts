import { describe, expect, test } from "@jest/globals";
import { CHECKS } from "../../../services/profile/country/check-digits.rules.ts";
import { configOfSeed, formatOf } from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { identityViolations, storedNumber } from "../../../services/profile/country/identity.rules.ts";
import { compilePattern } from "../../../services/profile/country/pattern.rules.ts";
import { formatInWords } from "../../../services/profile/country/pattern-words.rules.ts";
import { seedCountries } from "../../support/builders/stored-profile.ts";

describe("in words", () => {
  test.each([
    ["^\\d{9}$", "9 digits"],
    ["^[A-Z]\\d{8}$", "a letter, then 8 digits"],
    ["^[A-Z]{1,2}\\d{6,9}$", "1 to 2 letters, then 6 to 9 digits"],
    ["^[A-Z0-9]{7,9}$", "7 to 9 letters or digits"],
    ["^[TAMD]\\d{8}$", "one of A, D, M or T, then 8 digits"],
    ["^GHA-?[A-Z0-9]{9}$", "G, then H, then A, then 9 letters or digits"],
    ["^\\d{10}$|^\\d{13}$", "10 digits, or 13 digits"],
    [
      "^[A-Z0-9][A-Z0-9 ./-]{3,24}$",
      "one of letters or digits, then 3 to 24 letters, digits, blanks, ., / or -",
    ],
    ["^(?=.*\\d)[A-Z0-9]{3}$", "3 letters or digits"],
    ["^\\d$", "a digit"],
    ["^[\\d]{2}$", "2 digits"],
    ["^\\.[A-Z]$", "., then a letter"],
    ["^GHA123$", "G, then H, then A, then 1, then 2, then 3"],
    ["^GHA1234$", null],
    ["^A?$", null],
    ["^a[0-9a]{2}$", "a, then 2 digits or a"],
    ["^é$", "é"],
    ["^\\d{2}(0[1-9]|1[0-2])$", null],
    ["^\\d{2}$|^(A|B)$", null],
    ["^\\d{1}$|^\\d{2}$|^\\d{3}$", null],
  ])("%s: %s", (source, words) => {
    expect(formatInWords(compilePattern(source))).toBe(words);
  });
});

describe("every shipped rule", () => {
  const rules = Object.entries(COUNTRY_SEED).flatMap(([code, row]) =>
    configOfSeed(code, row, "2026-01-01T00:00:00.000Z").documents.map((rule) => [code, rule] as const),
  );

  test.each(rules.map(([code, rule]) => [code, rule.identityTypeCode, rule] as const))(
    "%s %s: the format has an example that passes the rule, check digit included",
    (_code, _type, rule) => {
      const [, example = "none"] = formatOf(rule).split(", e.g. ");
      expect([example, compilePattern(rule.pattern).test(example)]).toEqual([example, true]);
      if (rule.check) expect([example, CHECKS[rule.check](example)]).toEqual([example, true]);
    },
  );

  test("a passport of the United Kingdom", () => {
    const [, passport] =
      rules.find(([code, rule]) => code === "GBR" && rule.identityTypeCode === "PASSPORT") ?? [];
    expect(passport && formatOf(passport)).toMatch(/^9 digits, e\.g\. \d{9}$/);
  });
});

describe("numbers", () => {
  const countries = seedCountries();
  const residence = countries.inForce("NGA");
  if (!residence) throw new Error("There are no rules for NGA.");
  const context = { residence, rulesOf: countries.latest, today: "2026-01-01" };
  const stored = (value: string) => storedNumber("PASSPORT", "NGA", value, context);
  const isTaken = (identityValue: string) =>
    identityViolations(
      { identityTypeCode: "PASSPORT", issuingCountry: "NGA", identityValue, expiryDate: "2030-01-01" },
      "i",
      context,
    ).length === 0;

  test.each([
    ["A01234567", "A01234567"],
    ["a01234567", "A01234567"],
    [" A0123 4567 ", "A01234567"],
    ["a 0 1 2 3 4 5 6 7", "A01234567"],
  ])("%p: taken, and stored as %s", (given, expected) => {
    expect([isTaken(given), stored(given)]).toEqual([true, expected]);
  });

  test("a document of another country that is no passport: the rule of the residence", () => {
    expect(storedNumber("OTHERS", "GHA", "ab/1234", context)).toBe("AB/1234");
  });

  test("a number that fits the rule stays unchanged", () => {
    expect(storedNumber("OTHERS", "NGA", "AB 1234", context)).toBe("AB 1234");
  });

  test("a number that an operator's rule takes in small letters stays unchanged", () => {
    const others = residence.documents.get("OTHERS");
    if (!others) throw new Error("NGA takes no other documents.");
    const anyLetters = { ...others, pattern: compilePattern("^[A-Za-z]{2}\\d{4}$") };
    const own = { ...residence, documents: new Map([["OTHERS", anyLetters]]) };
    expect(storedNumber("OTHERS", "NGA", "ab1234", { ...context, residence: own })).toBe("ab1234");
  });

  test("a number that fits in no form is refused with the format", () => {
    expect(isTaken("A-01234567")).toBe(false);
    const [found] = identityViolations(
      { identityTypeCode: "PASSPORT", issuingCountry: "NGA", identityValue: "1", expiryDate: "2030-01-01" },
      "i",
      context,
    );
    expect(found).toMatchObject({ rule: "Identity.Format" });
    expect(found?.message).toMatch(/: a letter, then 8 digits, e\.g\. [A-Z]\d{8}$/);
  });
});
