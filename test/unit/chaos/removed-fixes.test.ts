/** The changes that bring mended faults back: each must still fit the code, or the laboratory would show nothing. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { ALL_FIXES, fixNamed, kindsFor, REMOVED_FIXES } from "../../chaos/lab/removed-fixes.rules.ts";
import { edited } from "../../support/source-edit.rules.ts";

const edits = ALL_FIXES.flatMap((fix) => REMOVED_FIXES[fix].edits.map((edit) => ({ fix, ...edit })));

test.each(edits)("$fix can be taken out of $file", (edit) => {
  const source = readFileSync(edit.file, "utf8");
  expect(edited(source, edit)).toBe(source.split(edit.from).join(edit.to));
});

test.each([["neither"], ["a b, and a b"]])("not once in the file: %s is refused", (source) => {
  expect(() => edited(source, { file: "f.ts", from: "a b", to: "c" })).toThrow('f.ts has "a b"');
});

test("the replacement is taken as it is", () => {
  expect(edited("a b", { file: "f.ts", from: "b", to: "$&$&" })).toBe("a $&$&");
});

test("the kinds of faults that bring a fault back are drawn, or all", () => {
  expect(kindsFor("feed-order")).toBe("process-clock");
  expect(kindsFor("leases")).toBeUndefined();
});

test("a fix that does not exist is a mistake", () => {
  expect(fixNamed("leases")).toBe("leases");
  expect(() => fixNamed("lease")).toThrow("deadlines");
});
