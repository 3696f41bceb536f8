import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { compilePattern, PatternError } from "../../../services/profile/country/pattern.rules.ts";

const seedPatterns = [
  ...new Set(
    Object.values(COUNTRY_SEED)
      .flat()
      .map(({ pattern }) => pattern),
  ),
];

/** Two alternatives of 20,000 steps, and five of 2,000. */
const MOST_STEPS = [
  ...Array(2).fill("^a{0,9}b{0,9}c{0,9}d{0,9}$"),
  ...Array(5).fill("^a{0,9}b{0,9}c{0,9}$"),
].join("|");

describe("compilePattern", () => {
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
    expect(compilePattern(pattern)).toMatchObject({ min, max });
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
    ["^(?=(a)b+)$|^((a)$", "is not a regular expression"],
    [String.raw`^(a)(?=\1)a$`, "uses an escape that is not permitted"],
    [String.raw`^(?=.*\bA)A$`, "uses an escape that is not permitted"],
    ["^(?<=a)b$", "uses a group that is not permitted"],
    ["^(?<name>a)$", "uses a group that is not permitted"],
    ["^(?=a)*b$", "repeats a group"],
    [`^${"a?".repeat(15)}b$`, "has too many repetitions and alternatives"],
    [`${MOST_STEPS}|^e$`, "has too many repetitions and alternatives"],
    [`^${"(a|a)".repeat(14)}$`, "has too many repetitions and alternatives"],
    [`^${"(|)".repeat(15)}$`, "has too many repetitions and alternatives"],
    [`^${"(?!a*a*a*a*b)".repeat(10)}a{0,64}$`, "has too many repetitions and alternatives"],
    [`^a{0,60}${"(?=a*)".repeat(45)}b$`, "has too many repetitions and alternatives"],
    ["^(?=a*a*a*^)a$", "has too many repetitions and alternatives"],
    ["^a{2}*$", "is not a regular expression"],
    ["^a?b*$", "repeats without a bound"],
    ["^{2}$", "is not a regular expression"],
    ["^(a)?$", "repeats a group"],
    ["^a??$", "repeats without a bound"],
    ["^[A-Z]{65}$", "accepts more than 64 characters"],
    [`^${"a".repeat(400)}$`, "may have at most 300 characters"],
  ])("%s is refused: %s", (pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(new PatternError(message));
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ name: "PatternError" }));
  });

  test.each([
    ["^(?=a*?b)[ab]{2}$", "ab"],
    ["^(?=a+b)[ab]{2}$", "ab"],
    ["^a(?=b(?=c?))b$", "ab"],
    // As long, and with as many steps, as permitted.
    [`^[${"a".repeat(296)}]$`, "a"],
    [MOST_STEPS, "abcd"],
    [`^${"(?=.{60})".repeat(20)}A{64}$`, "A".repeat(64)],
  ])("%s accepts %s", (source, value) => expect(compilePattern(source).test(value)).toBe(true));

  test("a text outside the lengths that a pattern accepts: is refused", () => {
    const { test: matches } = compilePattern("^a{1,2}$");
    expect(["", "a", "aa", "aaa"].map(matches)).toEqual([false, true, true, false]);
  });

  test.each(seedPatterns)("%s: whatever it accepts has a length inside the bounds", (pattern) => {
    const { min, max } = compilePattern(pattern);
    // fast-check cannot make text for lookaheads; leaving them away accepts more, never less.
    const plain = new RegExp(pattern.replaceAll(/\(\?[=!][^)]*\)/g, ""));
    fc.assert(
      fc.property(fc.stringMatching(plain), (text) => text.length >= min && text.length <= max),
      { numRuns: 50 },
    );
  });
});

/** Patterns inside the permitted part, also those that keep a backtracking engine busy. */
const atom = fc.constantFrom(
  "a",
  "A",
  "[ab]",
  "[^a-f]",
  String.raw`\d`,
  String.raw`\w`,
  String.raw`\.`,
  "[0-9A]",
);
const count = fc.constantFrom("", "", "?", "{2}", "{0,3}", "{1,12}");
const endless = fc.constantFrom("", "*", "+", "{2,}", "?", "*?");
const { sequence } = fc.letrec<{ sequence: string; ahead: string }>((tie) => ({
  sequence: joined(
    fc.oneof(
      { maxDepth: 3 },
      fc.tuple(atom, count).map((pair) => pair.join("")),
      fc.tuple(tie("sequence"), tie("sequence")).map(([one, other]) => `(?:${one}|${other})`),
      fc.tuple(tie("sequence"), tie("sequence")).map(([one, other]) => `(${one}|${other}|)`),
      fc.tuple(fc.constantFrom("=", "!"), tie("ahead")).map(([sign, inside]) => `(?${sign}${inside})`),
    ),
  ),
  ahead: joined(
    fc.oneof(
      { maxDepth: 3 },
      fc.tuple(fc.oneof(atom, fc.constantFrom(".", String.raw`\D`)), endless).map((pair) => pair.join("")),
      fc.tuple(tie("ahead"), tie("ahead")).map(([one, other]) => `(${one}|${other}$)`),
      fc.constantFrom("^", "$"),
    ),
  ),
}));
function joined(piece: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
}
const pattern = fc
  .array(sequence, { minLength: 1, maxLength: 2 })
  .map((parts) => parts.map((part) => `^${part}$`).join("|"));
const compiledOrNull = (source: string) => {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
};

describe("a match", () => {
  /** A busy machine may interrupt a match: the bound holds when one of several tries keeps it. */
  function expectFast(matches: (text: string) => boolean, value: string): void {
    const isFast = () => {
      const start = performance.now();
      matches(value);
      return performance.now() - start < 5;
    };
    expect([value, Array.from({ length: 50 }).some(isFast)]).toEqual([value, true]);
  }

  test.each([
    ["nested options", `^${"(?:a|".repeat(20)}a?a?a?${"|a?a?)".repeat(20)}$`],
    ["options one after another", `^${"(a?|a?)".repeat(6)}b$`],
    ["alternatives one after another", `^${"(a|a)".repeat(13)}b$`],
    ["options before a long tail", `^${"a?".repeat(9)}a{50}b$`],
    ["repetitions of the same letter", "^a{0,10}a{0,10}a{0,10}a{0,10}b$"],
    ["long repetitions of the same letter", "^a{0,20}a{0,20}a{0,20}b$"],
    ["endless lookaheads from every place", `^a{0,60}${"(?=a*b)".repeat(5)}b$`],
    ["a lookahead with endless parts", "^a{0,4}(?!a*a*b)a{40}$"],
    ["as many steps as permitted", MOST_STEPS],
  ])("%s: below 5 ms for every text of the same letter", (_, source) => {
    const { test: matches } = compilePattern(source);
    for (let length = 0; length <= 255; length += 1)
      for (const value of ["a".repeat(length), `${"a".repeat(length)}!`]) expectFast(matches, value);
  });

  test("any permitted pattern: below 5 ms for a text of 255 characters or less", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "A", "0"), maxLength: 255 });
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        const compiled = compiledOrNull(source);
        if (!compiled) return;
        for (const one of [value, value.slice(0, compiled.max), value.slice(0, compiled.min)])
          expectFast(compiled.test, one);
      }),
      { numRuns: 300 },
    );
  });
});
