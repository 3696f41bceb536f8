/** Coverage of the rules in tests that Node loads: Jest's own instrumentation, counted per test file. */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** Jest's transformer decides which files are counted. */
export type Instrumenter = {
  transform(path: string, options: CoverageOptions & { supportsStaticESM: true }): { code: string };
};
export type CoverageOptions = { collectCoverage: boolean };

type Counts = { s: Counters; f: Counters; b: Record<string, number[]> };
type Counters = Record<string, number>;
type Counted = Record<string, Counts>;

/** Modules stay loaded from one test file to the next, so the first file's instrumenter serves all. */
let isHooked = false;
/** Counts of a module's loading, which happens once for all files of a worker, until they are taken. */
const byLoading = new Map<string, Counts>();
const LOADED = "partnerOnboardingRulesLoaded";

export function countRules(jest: Instrumenter, options: CoverageOptions): void {
  if (isHooked || !options.collectCoverage) return;
  isHooked = true;
  const loaded = (path: string) => void byLoading.set(path, structuredClone(counted()[path] as Counts));
  Object.assign(globalThis, { [LOADED]: loaded });
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith(".rules.ts")) return next(url, context);
      const path = fileURLToPath(url);
      const { code } = jest.transform(path, { ...options, supportsStaticESM: true });
      return {
        format: "module",
        source: `${code}\n;globalThis.${LOADED}(${JSON.stringify(path)});`,
        shortCircuit: true,
      };
    },
  });
}

export function takeCounts(): Counted {
  const taken = structuredClone(reached());
  for (const [path, counts] of Object.entries(reached())) {
    reset(counts);
    byLoading.delete(path);
  }
  return taken;
}

/** Resets the counts, except those of loading: no other file repeats these. */
export function dropCounts(): void {
  for (const [path, counts] of Object.entries(reached())) reset(counts, byLoading.get(path));
}

const counted = (): Counted => (globalThis as { __coverage__?: Counted }).__coverage__ ?? {};

const reached = (): Counted =>
  Object.fromEntries(
    Object.entries(counted()).filter(([, { s }]) => Object.values(s).some((count) => count > 0)),
  );

function reset({ s, f, b }: Counts, to?: Counts): void {
  resetEach(s, to?.s);
  resetEach(f, to?.f);
  for (const [branch, counters] of Object.entries(b)) resetEach(counters, to?.b[branch]);
}

/** In place, because the instrumented code refers to these objects. */
function resetEach(counters: Counters | number[], to: Counters | number[] = {}): void {
  for (const key of Object.keys(counters)) (counters as Counters)[key] = (to as Counters)[key] ?? 0;
}
