/**
 * Jest's module loader for tests with servers: Node's own import.
 * A worker loads mongoose, moleculer and the product once for all its files, where Jest's loader would
 * compile them anew in a virtual machine for each; a third of the run's work was that.
 * Test files therefore share module state: what a file starts, it stops.
 */
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { processEnv } from "../../../shared/config/config.ts";
import { type RuntimeGlobals, setGlobals } from "./native-globals.ts";

const require = createRequire(import.meta.url);
const GLOBALS_URL = new URL("./native-globals.ts", import.meta.url).href;
/** jest-circus keeps its handlers here from one file to the next. */
const CIRCUS_HANDLERS = Symbol.for("EVENT_HANDLERS");

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals"
      ? { url: GLOBALS_URL, format: "module-typescript", shortCircuit: true }
      : next(specifier, context),
});

/** Each worker chooses among ports of its own; processes it starts as a user would choose among all. */
const PORTS_PER_WORKER = 1_000;
const firstPort = 20_000 + PORTS_PER_WORKER * Number(processEnv().JEST_WORKER_ID ?? 0);
processEnv().PBO_TEST_PORTS = `${firstPort}-${firstPort + PORTS_PER_WORKER}`;

export default class NativeRuntime {
  /** The runner for one file: fresh, since it keeps the tests of a file in its own module. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, CIRCUS_HANDLERS);
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  unstable_importModule(path: string): Promise<unknown> {
    return import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime(globals: RuntimeGlobals): void {
    setGlobals(globals);
  }

  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {}
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
