/**
 * Jest's module loader: Node's own import. A worker loads mongoose, moleculer and the product once for all its files.
 * Test files therefore share module state: a file stops whatever it starts. Why, with figures: test/README.md.
 */
import { createRequire, registerHooks } from "node:module";
// Not by the product's reader of settings: a module that is loaded here cannot be counted.
import { env } from "node:process";
import { pathToFileURL } from "node:url";
import { type CoverageOptions, countRules, dropCounts, type Instrumenter, takeCounts } from "./coverage.ts";
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

type RestOfJest = [transformer: Instrumenter, cache: unknown, coverage: CoverageOptions];

/** Each worker uses its own range of ports. Processes started as a user starts them choose among all ports. */
const PORTS_PER_WORKER = 1_000;
const firstPort = 20_000 + PORTS_PER_WORKER * Number(env.JEST_WORKER_ID ?? 0);
env.PBO_TEST_PORTS = `${firstPort}-${firstPort + PORTS_PER_WORKER}`;

export default class NativeRuntime {
  readonly #hasServers: boolean;

  constructor(
    config: { globalSetup?: string },
    _environment: unknown,
    _resolver: unknown,
    ...jest: RestOfJest
  ) {
    const [transformer, , coverage] = jest;
    this.#hasServers = Boolean(config.globalSetup);
    countRules(transformer, coverage);
  }

  /** A fresh runner for each file, because it keeps the tests of a file in its own module. */
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

  /** A suite with servers does not count: rules are tested without a server. */
  getAllCoverageInfoCopy() {
    return this.#hasServers ? dropCounts() : takeCounts();
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
