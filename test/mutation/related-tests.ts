/** The tests of a source file: unit tests that import it, the nearest first, and the suites of the table. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Limit of the unit tests that import a file. */
const MAX_UNIT_TESTS = 10;

/** Suites for guarantees that lie in a query or in a server, out of a unit test's sight. */
const SUITES: readonly (readonly [RegExp, ...string[]])[] = [
  [/^gateway\/admit\/session/, "auth/session"],
  [/^gateway\/admit\/(bearer|trust|authenticate)/, "auth/bearer"],
  [/^gateway\/admit\/(rate-limit|authenticate|client-address)/, "auth/rate-limit"],
  [/^services\/auth-token\/session\/(check-|own-|change-person|join-)/, "auth/session", "auth/invitations"],
  [/^services\/auth-token\/session\/(change-|own-)/, "auth/people", "auth/audit", "auth/second-factor"],
  [/^services\/auth-token\/session\/(login.ts|account-hash)/, "auth/login", "auth/sign-in-races"],
  [/^services\/auth-token\/session\/(second-factor|totp)/, "auth/second-factor", "auth/sign-in-races"],
  [
    /^services\/auth-token\/token\/(authenticate|issue|record)-/,
    "auth/token-table",
    "auth/token-requests",
    "auth/token-replay",
  ],
  [
    /^services\/auth-token\/token\/(signing-keys|token-clients)/,
    "auth/signing-keys",
    "auth/credential-state",
  ],
  [/^services\/auth-token\/(?!(session|token)\/).*repository\.ts$/, "auth/record-fences/*"],
  [/^services\/auth-token\/token\/.*repository\.ts$/, "auth/record-fences/tokens"],
  [
    /^services\/auth-token\/session\/(session\.(repository|model)|login-throttle\.\w+)\.ts$/,
    "auth/record-fences/sessions",
  ],

  [/^services\/delivery\/send\//, "delivery/sender", "delivery/sender-hostile", "delivery/address-guard"],
  [/^services\/delivery\/(records|replay)\/.*repository\.ts$/, "delivery/record-fences"],
  [/^services\/delivery\/.*repository\.ts$/, "delivery/record-queries/*"],
  [/^services\/document\/(judge-arrival|file\/)/, "document/arrival", "document/confirm"],
  [/^services\/document\/create-upload-link/, "document/upload-link"],
  [/^services\/document\/document\.repository\.ts$/, "document/record-fences"],
  [/^services\/webhook-registry\/.*repository\.ts$/, "webhook-registry/record-fences"],
  [
    /^services\/profile\/change\/(create|kept|store|answer)/,
    "profile/create-and-read",
    "profile/idempotency",
  ],
  [/^services\/profile\/change\/(update|change|finish|seal)/, "profile/update", "profile/parallel-updates"],
  [/^services\/profile\/change\/answer-uploads/, "document/upload-link"],
  [/^services\/profile\/change\/record-document/, "profile/recorded-documents"],
  [/^services\/profile\/.*repository\.ts$/, "profile/record-fences"],
  [/^shared\/mongo\/(mongo|database)/, "shared/write-concern", "shared/mongo-deadlines"],
  [/^shared\/mongo\/ensure/, "shared/collections", "shared/mongodb-prepare"],
  [/^shared\/moleculer\/(nats|bound)-transporter/, "shared/nats-transporter", "shared/readiness"],
  [/^shared\/moleculer\/bound-transporter/, "breach/breach"],
  [/^(shared\/sealing\/|services\/profile\/change\/customer-key)/, "field-keys/rotation"],
  [/^shared\/outbox\/outbox-store\.ts$/, "shared/outbox-store"],
  [/^shared\/partitions\/.*repository\.ts$/, "shared/partitions"],
  [/^shared\/stores\//, "shared/stores"],
];

/** Types alone make no test depend on a file. */
const IMPORT = /\b(?:import|export)\s+(?!type\b)[^;"]*?from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

export type RelatedTests = { unit: string[]; integration: string[] };

export function createRelated(root: string): (file: string) => RelatedTests {
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

  return (file) => ({
    unit: importersOf(file)
      .filter((each) => /^test\/unit\/.*\.test\.ts$/.test(each))
      .slice(0, MAX_UNIT_TESTS),
    integration: suitesOf(root, file),
  });
}

/** Its rules are a query. */
const RULES_WITH_SUITE = "login-throttle.rules.ts";

/** Rules are judged by unit tests alone. */
const suitesOf = (root: string, file: string): string[] =>
  file.endsWith(".rules.ts") && !file.endsWith(RULES_WITH_SUITE)
    ? []
    : SUITES.filter(([pattern]) => pattern.test(file)).flatMap(([, ...suites]) =>
        suites.flatMap((suite) => found(root, suite)),
      );

function found(root: string, suite: string): string[] {
  const files = globSync(`test/integration/${suite}.test.ts`, { cwd: root });
  if (files.length === 0) throw new Error(`There is no suite ${suite}.`);
  return files.toSorted();
}
