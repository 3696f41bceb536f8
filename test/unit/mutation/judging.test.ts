import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { EXPLAINED, explanationOf } from "../../mutation/explained.ts";
import { ask } from "../../mutation/judge-process.ts";
import { knownJobs } from "../../mutation/known.ts";
import { mutantsOf } from "../../mutation/mutants.ts";
import { interval } from "../../mutation/report.ts";

const root = join(import.meta.dirname, "../../..");
const FILE = "shared/clock.ts";
const source = readFileSync(join(root, FILE), "utf8");
const judged = (mistaken: string, withinMs = 60_000) =>
  ask({ tests: ["test/unit/shared/clock.test.ts"], file: FILE, source: mistaken }, withinMs);
/** At the load of the file, or at each call. */
const atLoad = (statement: string) => `${statement}\n${source}`;
const atCall = (statement: string) => source.replace("if (ms", `${statement} if (ms`);

describe("a judged mistake", () => {
  test.each([
    ["nothing wrong", source, "passed"],
    ["a wrong answer", atCall("ms += 1;"), "failed"],
    ["a module that cannot be loaded", atLoad("throw new Error();"), "failed"],
    ["a rejection during the tests", atCall("Promise.reject(new Error());"), "failed"],
    ["a process that dies each time", atLoad("process.exit(0);"), "died"],
  ])("%s: is judged", async (_name, mistaken, outcome) => expect(await judged(mistaken)).toBe(outcome));

  test("a process that dies once is no verdict: another one is asked", async () => {
    const mark = JSON.stringify(join(tmpdir(), `pbo-died-${process.pid}-${Date.now()}`));
    const once = `import fs from "node:fs"; if (!fs.existsSync(${mark})) { fs.writeFileSync(${mark}, ""); process.exit(1); }`;
    expect(await judged(atLoad(once))).toBe("passed");
  });

  test("a leftover of one mistake is not seen by the next", async () => {
    const leftover = atLoad('process.on("message", () => Promise.reject(new Error()));');
    expect([await judged(leftover), await judged(source)]).toEqual(["passed", "passed"]);
  });

  test("a mistake that makes a test wait: timed out", async () => {
    expect(await judged(atLoad("await new Promise(() => setInterval(() => 0));"), 1_000)).toBe("timed out");
  });
});

test.each([
  [0, 100, 0, 3.7],
  [5, 100, 2.2, 11.2],
  [75, 1_500, 4, 6.2],
  [0, 0, 0, 100],
])("%d of %d: Wilson's interval is %d to %d %%", (found, of, least, most) => {
  expect(interval(found, of).map((share) => Math.round(share * 1_000) / 10)).toEqual([least, most]);
});

test("each known mistake still fits the code", () => {
  expect(knownJobs(root).map(({ place }) => place)).toHaveLength(
    new Set(knownJobs(root).map(({ place }) => place)).size,
  );
});

test("each explanation still has its place in the code", () => {
  const keyOf = (one: { place: string; operator: string }, file: string) =>
    [file, one.place, one.operator].join(" | ");
  const places = [...new Set(EXPLAINED.map(({ file }) => file))].flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), "utf8")).map((mutant) => keyOf(mutant, file)),
  );
  expect(EXPLAINED.map((one) => keyOf(one, one.file)).filter((key) => !places.includes(key))).toEqual([]);
  expect(EXPLAINED.filter((one) => explanationOf(one) !== one.why)).toEqual([]);
});
