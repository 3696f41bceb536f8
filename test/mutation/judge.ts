/** A process that judges one mistake: it loads the tests, and the mistaken source in place of the file. */
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { setImmediate as turnEnd } from "node:timers/promises";
import { pathToFileURL } from "node:url";
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

/** As in npm test: a busy machine must not look like a test that noticed. The caller ends a test that hangs. */
const TEST_TIMEOUT_MS = 120_000;

const ofJest = createRequire(createRequire(import.meta.url).resolve("jest"));
const circus = ofJest("jest-circus") as Circus;
const { jestExpect } = ofJest("@jest/expect") as { jestExpect: RuntimeGlobals["expect"] };
const urlOf = (file: string): string => pathToFileURL(join(import.meta.dirname, "../..", file)).href;

let hasFailed = false;
circus.addEventHandler(({ name, test }) => {
  if (name === "test_done" && test && test.errors.length > 0) hasFailed = true;
  if (name === "test_start" && test && hasFailed) test.mode = "skip";
});
setGlobals({ ...circus, expect: jestExpect });
for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => (hasFailed = true));

async function judge({ tests, file, source }: Question): Promise<Verdict> {
  const mistaken = urlOf(file);
  registerHooks({
    load: (url, context, next) =>
      source !== null && url === mistaken
        ? { format: "module-typescript", source, shortCircuit: true }
        : next(url, context),
  });
  for (const each of tests) {
    circus.resetState();
    circus.getState().testTimeout = TEST_TIMEOUT_MS;
    await import(urlOf(each));
    const { testResults, unhandledErrors } = await circus.run();
    if (testResults.length === 0) throw new Error(`${each} has no test.`);
    jest.useRealTimers();
    jest.restoreAllMocks();
    // An unhandled rejection is reported when the turn of the event loop ends.
    await turnEnd();
    if (unhandledErrors.length > 0) hasFailed = true;
    if (hasFailed) break;
  }
  return hasFailed ? "failed" : "passed";
}

process.on("disconnect", () => process.exit());
process.on("message", (question: Question) => {
  // A mistake may make a module that cannot be loaded.
  void judge(question)
    .catch((): Verdict => "failed")
    .then((verdict) => process.send?.(verdict));
});
