/**
 * A process that judges mistakes one after the other: whatever imports the mistaken file is loaded anew, the rest stays.
 * It is told what to do by judge-process.ts.
 */
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { jest, type RuntimeGlobals, setGlobals } from "../support/jest/native-globals.ts";
import "../support/jest/native-runtime.ts";
import type { Question, Verdict } from "./judge-process.ts";

/** Jest's own runner and expectations, without the second that the rest of Jest takes to begin. */
type Circus = Omit<RuntimeGlobals, "expect"> & {
  resetState(): void;
  run(): Promise<{ testResults: { errors: unknown[] }[]; unhandledErrors: unknown[] }>;
  addEventHandler(handler: (event: CircusEvent) => void): void;
  getState(): { testTimeout: number };
};
type CircusEvent = { name: string; test?: { errors: unknown[]; mode: unknown } };

/** As in npm test: a busy machine must not look like a test that noticed. Who asks ends what takes too long. */
const TEST_TIMEOUT_MS = 120_000;

const ofJest = createRequire(createRequire(import.meta.url).resolve("jest"));
const circus = ofJest("jest-circus") as Circus;
const { jestExpect } = ofJest("@jest/expect") as { jestExpect: RuntimeGlobals["expect"] };
const root = join(import.meta.dirname, "../..");

let question: Question = { tests: [], file: "", source: null, affected: [] };
let affected = new Set<string>();
let count = 0;
let hasFailed = false;

const nameOf = (url: string): string =>
  url.startsWith("file:") ? fileURLToPath(url).slice(root.length + 1) : url;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const isLoadedAnew = affected.has(nameOf(resolved.url));
    return isLoadedAnew ? { ...resolved, url: `${resolved.url}?${count}` } : resolved;
  },
  load(url, context, next) {
    return question.source !== null && nameOf(url) === question.file
      ? { format: "module-typescript", source: question.source, shortCircuit: true }
      : next(url, context);
  },
});

circus.addEventHandler(({ name, test }) => {
  if (name === "test_done" && test && test.errors.length > 0) hasFailed = true;
  if (name === "test_start" && test && hasFailed) test.mode = "skip";
});
setGlobals({ ...circus, expect: jestExpect });
for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => (hasFailed = true));

async function judge(): Promise<Verdict> {
  count += 1;
  hasFailed = false;
  for (const file of question.tests) {
    circus.resetState();
    circus.getState().testTimeout = TEST_TIMEOUT_MS;
    await import(pathToFileURL(join(root, file)).href);
    const { testResults, unhandledErrors } = await circus.run();
    if (testResults.length === 0) throw new Error(`${file} has no test.`);
    jest.useRealTimers();
    jest.restoreAllMocks();
    if (unhandledErrors.length > 0) hasFailed = true;
    if (hasFailed) break;
  }
  return hasFailed ? "failed" : "passed";
}

process.on("disconnect", () => process.exit());
process.on("message", (asked: Question) => {
  question = asked;
  affected = new Set(asked.affected);
  // A mistake may make a module that cannot be loaded.
  void judge()
    .catch((): Verdict => "failed")
    .then((verdict) => process.send?.(verdict));
});
