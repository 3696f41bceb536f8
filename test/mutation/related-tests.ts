/** Which tests are about a source file: the unit tests that import it, near ones first, and the suites that are named. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** So many of the unit tests that import a file, the nearest first. */
const MAX_UNIT_TESTS = 5;

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
      integration: SUITES.filter(([pattern]) => pattern.test(file)).map(([, suite]) => suite),
    };
  };
}
