/** Our Jest runtime (test/support/jest), run as Jest runs it: on small suites of its own in one worker. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import HeavyFirst from "../../support/jest/heavy-first.ts";

const own = (name: string) => join(projectDir, "test/support", name);
const FILES = {
  "sign.rules.ts": `export const signOf = (value: number): string => {
  if (value > 0) return "plus";
  return value < 0 ? "minus" : "zero";
};
`,
  "shared.ts": "export const state = { loads: 0 };\n",
  "a-passes.test.ts": `import { expect, jest, test } from "@jest/globals";
import { state } from "./shared.ts";
import { signOf } from "./sign.rules.ts";
test.each([1, 2])("row %i", (value: number) => expect(signOf(value)).toBe("plus"));
test("a mock and timers", () => {
  jest.useFakeTimers();
  const done = jest.fn();
  setTimeout(done, 1_000);
  jest.advanceTimersByTime(1_000);
  jest.useRealTimers();
  expect(done).toHaveBeenCalledTimes(1);
  state.loads += 1;
});
`,
  "b-fails.test.ts": `import { beforeEach, describe, expect, test } from "@jest/globals";
import { state } from "./shared.ts";
describe("group", () => {
  beforeEach(() => { state.loads += 1; });
  test("module state is shared with the file before", () => expect(state.loads).toBe(2));
  test("a wrong expectation", () => expect(1).toBe(2));
});
`,
  "d-skips.test.ts": `import { describeIf, nightlyTest, someRows, testIf } from "${own("skipped.ts")}";
nightlyTest("restores", () => { throw new Error("ran"); });
nightlyTest.each([["one"], ["two"]])("row %s", () => { throw new Error("ran"); });
someRows([1, 2, 3], [1], "rows");
testIf(false, "needs root")("mounts", () => { throw new Error("ran"); });
describeIf(false, "needs helm")("helm", () => { nightlyTest("renders", () => { throw new Error("ran"); }); });
testIf(true, "needs nothing")("runs", () => undefined);
`,
  "c-throws.test.ts": 'throw new Error("thrown while it was loaded");\n',
};

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[];
};
let dir: string;
let exitCode: number;
let report: Report;
let output: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "pbo-jest-runtime-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(dir, name), text);
  const config = {
    rootDir: dir,
    runtime: own("jest/native-runtime.ts"),
    testEnvironment: own("jest/native-environment.ts"),
    transform: { "\\.ts$": own("jest/strip-types.ts") },
    testMatch: ["**/*.test.ts"],
    reporters: [own("jest/skipped-report.ts"), "default"],
    collectCoverageFrom: ["*.rules.ts"],
    coverageReporters: ["text-summary"],
    coverageThreshold: { global: { branches: 95 } },
  };
  const args = [join(projectDir, "node_modules/jest/bin/jest.js"), "--config", JSON.stringify(config)];
  const run = new Promise<{ code: number; stdout: string; stderr: string }>((resolve) =>
    execFile(
      process.execPath,
      [...args, "--json", "--runInBand", "--coverage"],
      { cwd: projectDir, env: childEnv({ PBO_TEST_NIGHTLY: "" }) },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
  const { code, stdout, stderr } = await run;
  [exitCode, output] = [code, stderr + stdout];
  report = JSON.parse(stdout.slice(stdout.indexOf("{")));
}, 120_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("passing, failing and broken files are reported, and the run fails", () => {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = report;
  expect({ exitCode, numPassedTests, numFailedTests, numFailedTestSuites }).toEqual({
    ...{ exitCode: 1, numPassedTests: 5, numFailedTests: 1, numFailedTestSuites: 2 },
  });
  const broken = report.testResults.find(({ name }) => name.endsWith("c-throws.test.ts"));
  expect(broken?.message).toContain("thrown while it was loaded");
});

test("each test belongs to its own file and group", () => {
  const names = report.testResults.map(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== "pending")
      .map(({ fullName, status }) => `${fullName}: ${status}`),
  );
  expect(names.toSorted((a, b) => b.length - a.length)).toEqual([
    ["row 1: passed", "row 2: passed", "a mock and timers: passed"],
    ["group module state is shared with the file before: passed", "group a wrong expectation: failed"],
    ["runs: passed"],
    [],
  ]);
});

test("a test that does not run here is skipped, and named with its reason", () => {
  const [, listed = ""] = /Skipped tests:\n((?: {2}.*\n)+)/.exec(output) ?? [];
  expect(listed.trimEnd().split("\n")).toEqual([
    "  d-skips.test.ts: 2 more rows (only in npm run test:nightly)",
    "  d-skips.test.ts: helm (needs helm) renders (only in npm run test:nightly)",
    "  d-skips.test.ts: mounts (needs root)",
    "  d-skips.test.ts: restores (only in npm run test:nightly)",
    "  d-skips.test.ts: row one (only in npm run test:nightly)",
    "  d-skips.test.ts: row two (only in npm run test:nightly)",
  ]);
});

test("branches of a rules file that no test reached are below the threshold", () => {
  expect(output).toMatch(/Branches\s*: 25% \( 1\/4 \)/);
  expect(output).toContain("Coverage for branches (25%) does not meet");
});

test("HeavyFirst: long suites begin the run, two of them first, and the others are ordered by size", () => {
  const name = (path: string) => ({ path: join(projectDir, "test", path) }) as never;
  const paths = [
    "unit/shared/ids.test.ts",
    "integration/auth/login.test.ts",
    "e2e/journeys.test.ts",
    "integration/auth/audit.test.ts",
    "browser/dashboard.test.ts",
  ];
  const sequencer = new HeavyFirst({ contexts: [], globalConfig: {} as never } as never);
  expect(sequencer.sort(paths.map(name)).map(({ path }) => path.split("/test/")[1])).toEqual([
    "browser/dashboard.test.ts",
    "e2e/journeys.test.ts",
    "integration/auth/audit.test.ts",
    "unit/shared/ids.test.ts",
    "integration/auth/login.test.ts",
  ]);
});
