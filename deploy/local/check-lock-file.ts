/** npm run check:lock: package-lock.json has pinned versions, hashes, our registry, and licences we may ship. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../lib/paths.ts";

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;
type Manifest = Partial<Record<(typeof KINDS)[number], Record<string, string>>>;
type Locked = { license?: string; integrity?: string; resolved?: string; link?: boolean; dev?: boolean };
export type LockFile = { lockfileVersion?: number; packages?: Record<string, Locked> };

/** Licences that require no more than their notice. */
const SHIPPED = "MIT Apache-2.0 ISC BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 Unlicense".split(" ");
/** Licences of tools that we do not ship; MPL requires the source of changed files, and we change none. */
const TOOLS = [...SHIPPED, "CC0-1.0", "CC-BY-4.0", "MPL-2.0"];
/** MIT, in a form of package.json that the lock file does not copy. */
const UNNAMED = ["buildcheck", "busboy", "cpu-features", "humanize-number", "ssh2", "streamsearch"];

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const REGISTRY = "https://registry.npmjs.org/";

/** A line per problem. `npm ci` checks that both files have the same versions. */
export function lockFileProblems(manifest: Manifest, lock: LockFile): string[] {
  const { "": _, ...packages } = lock.packages ?? {};
  const wanted = KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}));
  return [
    ...(lock.lockfileVersion === 3 ? [] : ["the lock file is not of version 3"]),
    ...wanted
      .filter(([, version]) => !EXACT.test(version))
      .map(([name]) => `${name} is not pinned to one version`),
    ...Object.entries(packages).flatMap(([path, locked]) =>
      packageProblems(path, locked).map((problem) => `${path} ${problem}`),
    ),
  ];
}

function packageProblems(path: string, { license, integrity, resolved, link, dev }: Locked): string[] {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const licence = license ?? (UNNAMED.includes(name) ? "MIT" : "none");
  const isElsewhere = resolved !== undefined && !resolved.startsWith(REGISTRY);
  return [
    ...(link || !integrity?.startsWith("sha512-") ? ["has no SHA-512"] : []),
    ...(isElsewhere ? ["comes from elsewhere than the registry"] : []),
    ...(isPermitted(licence, dev ? TOOLS : SHIPPED) ? [] : [`has the licence ${licence}`]),
  ];
}

/** An SPDX expression of the simple kind: names joined by AND or by OR. */
function isPermitted(expression: string, permitted: readonly string[]): boolean {
  const bare = expression.replace(/^\((.*)\)$/, "$1");
  return bare
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((name) => permitted.includes(name.trim())));
}

if (import.meta.main) {
  const read = (file: string) => JSON.parse(readFileSync(join(projectDir, file), "utf8"));
  const problems = lockFileProblems(read("package.json"), read("package-lock.json"));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
