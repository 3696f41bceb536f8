/** The tests of a source file: unit tests that import it, the nearest first, and the suites of the table. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Limit of the unit tests that import a file. */
const MAX_UNIT_TESTS = 10;

/** Suites for guarantees that lie in a query or in a server, out of a unit test's sight. */
const SUITES: readonly (readonly [RegExp, ...string[]])[] = [
  [/^services\/delivery\/(records|replay)\/.*repository\.ts$/, "delivery/record-fences"],
  [/^services\/delivery\/.*repository\.ts$/, "delivery/record-queries/*"],
  [/^services\/document\/document\.repository\.ts$/, "document/record-fences"],
  [/^services\/webhook-registry\/.*repository\.ts$/, "webhook-registry/record-fences"],
  [/^services\/profile\/.*repository\.ts$/, "profile/record-fences"],
  [/^services\/auth-token\/.*repository\.ts$/, "auth/record-fences/*"],
  [/^shared\/outbox\/outbox-store\.ts$/, "shared/outbox-store"],
  [/^shared\/partitions\/.*repository\.ts$/, "shared/partitions"],
  [/^shared\/stores\//, "shared/stores"],
];

/** Types alone make no test depend on a file. */
const IMPORT = /\b(?:import|export)\s+(?!type\b)[^;"]*?from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

export type RelatedTests = { unit: string[]; integration: string[] };
export type Related = RelatedTests & {
  /** The file and all that import it, over others too. */
  affected: string[];
};

export function createRelated(root: string): (file: string) => Related {
  const importers = new Map<string, string[]>();
  for (const file of globSync("{services,gateway,shared,deploy,test}/**/*.ts", { cwd: root }))
    for (const [, direct, lazy] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const target = join(dirname(file), direct ?? lazy ?? "");
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }

  /** Breadth first, so that the nearest come first. */
  function importersOf(file: string): string[] {
    const seen = new Set([file]);
    for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer);
    return [...seen];
  }

  return (file) => {
    const affected = importersOf(file);
    return {
      affected,
      unit: affected.filter((each) => /^test\/unit\/.*\.test\.ts$/.test(each)).slice(0, MAX_UNIT_TESTS),
      integration: suitesOf(root, file),
    };
  };
}

/** Rules are judged by unit tests alone. */
const suitesOf = (root: string, file: string): string[] =>
  file.endsWith(".rules.ts")
    ? []
    : SUITES.filter(([pattern]) => pattern.test(file)).flatMap(([, ...suites]) =>
        suites.flatMap((suite) => found(root, suite)),
      );

function found(root: string, suite: string): string[] {
  const files = globSync(`test/integration/${suite}.test.ts`, { cwd: root });
  if (files.length === 0) throw new Error(`There is no suite ${suite}.`);
  return files.toSorted();
}
