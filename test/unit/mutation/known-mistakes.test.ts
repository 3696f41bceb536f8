/** The known mistakes: each must still be one that can be made, with tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { KNOWN_MISTAKES, testsOf } from "../../mutation/known-mistakes.ts";
import { edited } from "../../support/source-edit.rules.ts";

test.each(KNOWN_MISTAKES)("$what", (mistake) => {
  const source = readFileSync(mistake.file, "utf8");
  expect(edited(source, mistake)).not.toBe(source);
  const { unit, integration } = testsOf(mistake);
  expect([...unit, ...integration].map(existsSync)).toEqual([true]);
});
