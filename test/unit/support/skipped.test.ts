/** Every skip is visible: test/README.md names the files whose tests npm test skips, and no test is skipped in another way. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";

const read = (file: string): string => readFileSync(join(projectDir, file), "utf8");
const FILES = globSync("test/**/*.ts", { cwd: projectDir, exclude: ["test/unit/support/"] });
const filesWith = (pattern: RegExp): string[] => FILES.filter((file) => pattern.test(read(file))).toSorted();
const isSupport = (file: string): boolean => /^test\/(support|outside)\//.test(file);

const [, section = ""] = /\n## Nightly\n([\s\S]*?)\n## /.exec(read("test/README.md")) ?? [];
const listed = [...section.matchAll(/`((?:[\w-]+\/)+[\w-]*)`/g)].map(([, path = ""]) => path);

describe("tests of the nightly run", () => {
  const nightly = filesWith(/\b(nightlyTest|someRows|testByHand|testWithTools)\b/).filter(
    (file) => !isSupport(file),
  );

  test("each file is in the list of test/README.md", () => {
    expect(nightly.length).toBeGreaterThan(15);
    const isListed = (file: string) => listed.some((path) => file.startsWith(`test/${path}`));
    expect(nightly.filter((file) => !isListed(file))).toEqual([]);
  });

  test("the list names nothing that runs whole in npm test", () => {
    const isNightly = (path: string) => nightly.some((file) => file.startsWith(`test/${path}`));
    expect(listed.filter((path) => !isNightly(path))).toEqual([]);
  });
});

test("only support/skipped.ts skips or focuses a test, and jest.config.js leaves no file out", () => {
  expect(filesWith(/\b(test|describe|it)\.(skip|only|todo)\b/)).toEqual(["test/support/skipped.ts"]);
  expect(filesWith(/if \(isNightly\)\s*(test|describe|\{)/)).toEqual([]);
  expect(read("jest.config.js")).not.toMatch(/IgnorePatterns|NIGHTLY/);
});
