import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { lineText, printableJson, safeText, safeTexts } from "../../../shared/safe-text.rules.ts";
import { anyText } from "../../support/builders/any-text.ts";

describe("safeText", () => {
  test.each([
    ["Harbour Foods Limited", "Harbour Foods Limited"],
    ["Søren & Söhne, 株式会社", "Søren & Söhne, 株式会社"],
    ["+2348012345678", "+2348012345678"],
    ["first line\nsecond line", "first line\nsecond line"],
    ["=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"],
    ["+1+1", "'+1+1"],
    ["-Minus Ltd", "'-Minus Ltd"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\uff1d1+1", "'\uff1d1+1"],
    ["\t=1", "\ufffd=1"],
    ["Evil\u001b[31m", "Evil\ufffd[31m"],
    ["Evil\u009b31m", "Evil\ufffd31m"],
    ["Foods\u202edetimiL", "Foods\ufffddetimiL"],
    ["a\u2028b\u2066c\u200fd", "a\ufffdb\ufffdc\ufffdd"],
  ])("%j is shown as %j", (text, shown) => expect(safeText(text)).toBe(shown));

  test("any text: no formula, and nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(safeText(text).replaceAll("\n", "")).not.toMatch(
          /^[=@]|^[+-](?!\d+$)|\p{Cc}|[\u202a-\u202e]/u,
        );
        expect(lineText(text)).not.toContain("\n");
      }),
    );
  });
});

test("lineText: whatever is hidden is shown as a question mark", () => {
  expect(lineText("=a\nb\u202ec")).toBe("'=a?b?c");
});

test("safeTexts: every text of a value, and nothing else of it", () => {
  const at = new Date(0);
  expect(safeTexts({ a: ["=1", 1, null, true, at], b: { c: "x\u202e" } })).toEqual({
    a: ["'=1", 1, null, true, at],
    b: { c: "x\ufffd" },
  });
});

test("printableJson: the same value, printable", () => {
  const value = { a: "x\u009b\u202e\u001b\n=1" };
  const json = printableJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
});
