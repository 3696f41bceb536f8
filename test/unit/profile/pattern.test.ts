import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { GENERAL_PATTERN, OTHERS_PATTERN } from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { PatternError, patternBounds } from "../../../services/profile/country/pattern.rules.ts";

const seedPatterns = [
  ...new Set([
    GENERAL_PATTERN,
    OTHERS_PATTERN,
    ...Object.values(COUNTRY_SEED).flatMap(({ rules }) => Object.values(rules ?? {})),
  ]),
];

describe("patternBounds", () => {
  test.each([
    [String.raw`^\d{11}$`, 11, 11],
    [String.raw`^[A-Z]{1,2}\d{6,9}$`, 7, 11],
    [String.raw`^\d{2}-?\d{6,7}-?[A-Z]$`, 9, 12],
    [String.raw`^\d{9}$|^[A-Z]\d{3}$`, 4, 9],
    [String.raw`^\d{6}(19|20)\d{2}(0[1-9]|[12]\d)$`, 12, 12],
    [String.raw`^(?=.*\d)(?!000)[A-Z0-9]{3}$`, 3, 3],
    [String.raw`^[A-Z]{1,2}\d{6}\(?[0-9A]\)?$`, 8, 11],
    [String.raw`^[\d\]]{2}\.?x$`, 3, 4],
    ["^(?:a|bcd)e{0,2}$", 1, 5],
    ["^a{64}$", 64, 64],
  ])("%s: %d to %d", (pattern, min, max) => {
    expect(patternBounds(pattern)).toEqual({ min, max });
  });

  test.each([
    [String.raw`^\d+$`, "repeats without a bound"],
    [String.raw`^\d*$`, "repeats without a bound"],
    ["^.{3}$", "repeats without a bound"],
    [String.raw`^\d{3,}$`, "repeats without a bound"],
    ["^(a|a){20}$", "repeats a group"],
    ["^(?=(a+)+b)a{3}$", "repeats a group"],
    [String.raw`^(\d)\1$`, "uses an escape that is not permitted"],
    [String.raw`\d{3}$`, "must begin with ^"],
    [String.raw`^\d{3}`, "must end with $"],
    [String.raw`^\d{3}$|\d{2}$`, "must begin with ^"],
    [String.raw`^a\$`, "uses an escape that is not permitted"],
    ["^[A-Z$", "is not a regular expression"],
    ["^(?=(a)$)a$", "has an unexpected bracket"],
    ["^(?=(a)b)a$", "must end with $"],
    ["^a{2}*$", "is not a regular expression"],
    ["^a?b*$", "repeats without a bound"],
    ["^{2}$", "is not a regular expression"],
    ["^(a)?$", "repeats a group"],
    ["^[A-Z]{65}$", "accepts more than 64 characters"],
    [`^${"a".repeat(400)}$`, "may have at most 300 characters"],
  ])("%s is refused: %s", (pattern, message) => {
    expect(() => patternBounds(pattern)).toThrow(new PatternError(message));
  });

  test.each(seedPatterns)("%s: whatever it accepts has a length inside the bounds", (pattern) => {
    const { min, max } = patternBounds(pattern);
    // fast-check cannot make text for lookaheads; leaving them away accepts more, never less.
    const plain = new RegExp(pattern.replaceAll(/\(\?[=!][^)]*\)/g, ""));
    fc.assert(
      fc.property(fc.stringMatching(plain), (text) => text.length >= min && text.length <= max),
      { numRuns: 50 },
    );
  });
});
