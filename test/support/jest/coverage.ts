/** Coverage of the rules, where tests are loaded by Node: Jest's own instrumentation, counted per test file. */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** Jest's, which knows whether a file is to be counted. */
export type Instrumenter = {
  transform(path: string, options: CoverageOptions & { supportsStaticESM: true }): { code: string };
};
export type CoverageOptions = { collectCoverage: boolean };

type Counts = { s: Counters; f: Counters; b: Record<string, number[]> };
type Counters = Record<string, number>;
type Counted = Record<string, Counts>;

/** Modules stay loaded from one test file to the next: the first one's instrumenter serves all. */
let isHooked = false;

export function countRules(jest: Instrumenter, options: CoverageOptions): void {
  if (isHooked || !options.collectCoverage) return;
  isHooked = true;
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith(".rules.ts")) return next(url, context);
      const { code } = jest.transform(fileURLToPath(url), { ...options, supportsStaticESM: true });
      return { format: "module", source: code, shortCircuit: true };
    },
  });
}

/** What was reached since the last call. */
export function takeCounts(): Counted | undefined {
  const { __coverage__: all } = globalThis as { __coverage__?: Counted };
  if (!all) return undefined;
  const reached = Object.entries(all).filter(([, { s }]) => Object.values(s).some((count) => count > 0));
  const taken = structuredClone(Object.fromEntries(reached));
  for (const [, { s, f, b }] of reached) for (const counters of [s, f, ...Object.values(b)]) zero(counters);
  return taken;
}

function zero(counters: Counters | number[]): void {
  for (const key of Object.keys(counters)) (counters as Counters)[key] = 0;
}
