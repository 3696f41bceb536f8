/** Which tests are about a source file: the unit tests that import it, near ones first, and the suites that are named. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Of the tests that import a file only over others, so many of the nearest are run. */
const MAX_UNIT_TESTS = 5;
const MAX_DISTANCE = 4;

/** Where the guarantee is in a query or in a server, a unit test cannot see it. */
const SUITES: readonly (readonly [RegExp, string])[] = [
  [
    /^services\/delivery\/(records|replay)\/.*repository\.ts$/,
    "test/integration/delivery/record-fences.test.ts",
  ],
  [/^services\/delivery\/endpoint\/.*repository\.ts$/, "test/integration/delivery/pause.test.ts"],
  [/^services\/delivery\/history\/.*repository\.ts$/, "test/integration/delivery/history.test.ts"],
  [/^services\/delivery\/replay\/.*repository\.ts$/, "test/integration/delivery/replay.test.ts"],
  [/^services\/delivery\/(due|attempt)\//, "test/integration/delivery/retries.test.ts"],
  [/^services\/document\/document\.repository\.ts$/, "test/integration/document/record-fences.test.ts"],
  [
    /^services\/document\/(document\.repository|tend|sweep|reconcile).*\.ts$/,
    "test/integration/document/housekeeping.test.ts",
  ],
  [
    /^services\/webhook-registry\/.*(repository|sweep).*\.ts$/,
    "test/integration/webhook-registry/health.test.ts",
  ],
  [/^services\/profile\/record\/profile\.repository\.ts$/, "test/integration/profile/list.test.ts"],
  [
    /^services\/profile\/record\/profile\.repository\.ts$/,
    "test/integration/profile/parallel-updates.test.ts",
  ],
  [/^services\/profile\/country\/.*repository\.ts$/, "test/integration/profile/country-config.test.ts"],
  [/^services\/auth-token\/.*repository\.ts$/, "test/integration/auth/session.test.ts"],
  [/^services\/auth-token\/session\/.*repository\.ts$/, "test/integration/auth/login.test.ts"],
  [/^services\/auth-token\/credential\/.*repository\.ts$/, "test/integration/auth/credentials.test.ts"],
  [/^services\/auth-token\/token\/.*repository\.ts$/, "test/integration/auth/token-replay.test.ts"],
  [/^services\/auth-token\/token\/signing-key.*\.ts$/, "test/integration/auth/signing-keys.test.ts"],
  [/^services\/auth-token\/account\/.*repository\.ts$/, "test/integration/auth-admin/admin.test.ts"],
  [/^shared\/outbox\/|consumer\.ts$/, "test/integration/shared/outbox.test.ts"],
  [/^shared\/jetstream\//, "test/integration/shared/jetstream.test.ts"],
];

/** Types alone make no test depend on a file. */
const IMPORT = /\b(?:import|export)\s+(?!type\b)[^;"]*?from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

export type RelatedTests = { unit: string[]; integration: string[] };

export function createRelatedTests(root: string): (file: string) => RelatedTests {
  const importers = new Map<string, string[]>();
  for (const file of globSync("{services,gateway,shared,deploy,test}/**/*.ts", { cwd: root }))
    for (const [, direct, lazy] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const target = join(dirname(file), direct ?? lazy ?? "");
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }

  /** Breadth first, so that the nearest come first. */
  function unitTestsOf(file: string): string[] {
    const seen = new Set([file]);
    let ring = [file];
    for (let distance = 1; distance <= MAX_DISTANCE && ring.length > 0; distance += 1) {
      ring = [...new Set(ring.flatMap((each) => importers.get(each) ?? []))].filter(
        (each) => !seen.has(each),
      );
      for (const each of ring) seen.add(each);
    }
    return [...seen].filter((each) => /^test\/unit\/.*\.test\.ts$/.test(each)).slice(0, MAX_UNIT_TESTS);
  }

  return (file) => ({
    unit: unitTestsOf(file),
    integration: SUITES.filter(([pattern]) => pattern.test(file)).map(([, suite]) => suite),
  });
}
