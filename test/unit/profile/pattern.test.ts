import { describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import {
  configOfSeed,
  GENERAL_PATTERN,
  OTHERS_PATTERN,
} from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { createCountryConfigs } from "../../../services/profile/country/country-configs.ts";
import { patternOf } from "../../../services/profile/country/country-directory.rules.ts";
import {
  compilePattern,
  MAX_PATTERN_SIZE,
  NOTHING,
  PatternError,
} from "../../../services/profile/country/pattern.rules.ts";
import { acceptsOf } from "../../../services/profile/country/pattern-program.rules.ts";
import { noLanes } from "../../../shared/lanes.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";

const seedPatterns = [
  ...new Set([
    GENERAL_PATTERN,
    OTHERS_PATTERN,
    ...Object.values(COUNTRY_SEED).flatMap(({ rules }) => Object.values(rules ?? {})),
  ]),
];

test("a class judges what is beyond ASCII, too", () => {
  const accepts = acceptsOf("[^aé]");
  expect([..."abéèabéè"].map((one) => accepts(one.charCodeAt(0)))).toEqual([
    false,
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
});

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
    [`^${"(?=.{60})".repeat(20)}A{64}$`, "has too many repetitions and alternatives"],
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

  test("as long and as large as permitted, and no larger", () => {
    expect(compilePattern(`^[${"a".repeat(296)}]$`).test("a").accepted).toBe(true);
    const sized = (more: number) =>
      compilePattern(`${Array(7).fill("^a{0,32}A?$").join("|")}|^${"a".repeat(more)}$`);
    expect(sized(22).size).toBe(500);
    expect(() => sized(23)).toThrow("has too many repetitions and alternatives");
  });

  test.each([
    ["^(?=a*?b)[ab]{2}$", "ab"],
    ["^(?=a+b)[ab]{2}$", "ab"],
  ])("%s accepts %s", (source, value) => expect(compilePattern(source).test(value).accepted).toBe(true));

  test("a step for each node on the way, none for a text that is too short or too long", () => {
    const { size, test: matches } = compilePattern("^a$");
    expect([size, matches("a"), matches(""), matches("aa")]).toEqual([
      3,
      { accepted: true, steps: 3 },
      { accepted: false, steps: 0 },
      { accepted: false, steps: 0 },
    ]);
    expect(NOTHING).toMatchObject({ min: 0, max: 0, size: 0 });
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
const text = fc.string({
  unit: fc.constantFrom("a", "b", "A", "0", "7", ".", "-", "é", "\n"),
  maxLength: 20,
});

const compiledOrNull = (source: string) => {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
};

test("a stored pattern that this release does not permit: accepts nothing, and is logged at the start", async () => {
  const pattern = String.raw`^(A)(?=\1)A$`;
  expect(patternOf(pattern).test("AA")).toEqual({ accepted: false, steps: 0 });
  const config = configOfSeed("NGA", { accepted: "P", rules: {} }, "2026-01-01T00:00:00.000Z");
  const stored = { ...config, documents: config.documents.map((rule) => ({ ...rule, pattern })) };
  const error = jest.fn();
  const configs = createCountryConfigs({
    repository: {
      all: async () => [stored],
      seed: async () => undefined,
      add: async () => true,
    },
    clock: { now: Date.now },
    lanes: noLanes,
    logger: { error } as unknown as Logger,
    changed: () => undefined,
  });
  await configs.start();
  await configs.stop();
  expect(error.mock.calls).toEqual([
    [{ countryCode: "NGA", version: 1, identityTypeCode: "PASSPORT" }, "country_config.pattern_unreadable"],
  ]);
});

describe("a match", () => {
  test.each(seedPatterns)("%s: the same verdict as the language's own engine", (source) => {
    const { test: matches } = compilePattern(source);
    const regex = new RegExp(source);
    const plain = new RegExp(source.replaceAll(/\(\?[=!][^)]*\)/g, ""));
    const number = fc.oneof(fc.stringMatching(plain), text);
    fc.assert(
      fc.property(number, fc.nat(), fc.constantFrom("", "0", "A", " ", "-", "\n"), (value, at, other) => {
        const changed =
          value.slice(0, at % (value.length + 1)) + other + value.slice((at % (value.length + 1)) + 1);
        for (const one of [value, changed, value + other])
          expect(matches(one).accepted).toBe(regex.test(one));
      }),
      { numRuns: 40 },
    );
  });

  test("of any permitted pattern and any text: the same verdict as the language's own engine", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 10, maxLength: 10 }), (source, texts) => {
        const compiled = compiledOrNull(source);
        if (!compiled) return;
        const regex = new RegExp(source);
        for (const one of texts) expect([one, compiled.test(one).accepted]).toEqual([one, regex.test(one)]);
      }),
      { numRuns: 300 },
    );
  });

  /** By steps, which are the same on a busy machine; a step takes some ten nanoseconds. */
  const MAX_STEPS = MAX_PATTERN_SIZE * 65;

  test.each([
    ["nested options", `^${"(?:a|".repeat(20)}a?a?a?${"|a?a?)".repeat(20)}$`],
    ["options one after another", `^${"(a?|a?)".repeat(26)}$`],
    ["alternatives one after another", `^${"(a|a)".repeat(14)}$`],
    ["single options one after another", `^${"a?".repeat(16)}b$`],
    ["endless lookaheads from every place", `^a{0,60}${"(?=a*)".repeat(45)}b$`],
    ["lookaheads with endless parts", `^${"(?!a*a*a*a*b)".repeat(10)}a{0,64}$`],
    ["as large as permitted", Array(7).fill("^a{0,32}A?$").join("|")],
  ])("%s: bounded work on every text of the same letter", (_, source) => {
    const { test: matches, size } = compilePattern(source);
    for (let length = 0; length <= 255; length += 1) {
      for (const value of ["a".repeat(length), `${"a".repeat(length)}!`])
        expect(matches(value).steps).toBeLessThanOrEqual(Math.min(size * (value.length + 1), MAX_STEPS));
    }
  });

  test("of any permitted pattern and a text of 255 characters or less: bounded work", () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom("a", "A", "0"), maxLength: 255 }),
        (source, value) => {
          const compiled = compiledOrNull(source);
          if (!compiled) return;
          for (const one of [value, value.slice(0, compiled.max), value.slice(0, compiled.min)])
            expect(compiled.test(one).steps).toBeLessThanOrEqual(MAX_STEPS);
        },
      ),
      { numRuns: 300 },
    );
  });
});
