/** Rules of package-lock.json: pinned versions, hashes, our registry, licences we may ship. */

type Manifest = Partial<
  Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>
>;
type Locked = { license?: string; integrity?: string; resolved?: string; link?: boolean; dev?: boolean };
export type LockFile = { lockfileVersion?: number; packages?: Record<string, Locked & Manifest> };

/** May be shipped without further thought: none asks for more than its notice. */
const SHIPPED = [
  "MIT",
  "Apache-2.0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
];
/** Licences of tools that we do not ship; MPL asks for the source of changed files, and we change none. */
const TOOLS = [...SHIPPED, "CC0-1.0", "CC-BY-4.0", "MPL-2.0"];
/** Their package.json has the licence in a form of its own, which the lock file does not take over. */
const UNNAMED: ReadonlyMap<string, string> = new Map(
  ["buildcheck", "busboy", "cpu-features", "humanize-number", "ssh2", "streamsearch"].map((name) => [
    name,
    "MIT",
  ]),
);

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const REGISTRY = "https://registry.npmjs.org/";
const KINDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** A line per problem. */
export function lockFileProblems(manifest: Manifest, lock: LockFile): string[] {
  const { "": root = {}, ...packages } = lock.packages ?? {};
  const problems = lock.lockfileVersion === 3 ? [] : ["the lock file is not of version 3"];
  for (const kind of KINDS) problems.push(...pinProblems(manifest[kind] ?? {}, root[kind] ?? {}));
  for (const [path, locked] of Object.entries(packages))
    problems.push(...packageProblems(path, locked).map((problem) => `${path} ${problem}`));
  return problems;
}

function pinProblems(wanted: Record<string, string>, locked: Record<string, string>): string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(locked)])];
  return names.flatMap((name) => {
    if (wanted[name] !== locked[name]) return [`${name} differs between package.json and the lock file`];
    return EXACT.test(wanted[name] ?? "") ? [] : [`${name} is not pinned to one version`];
  });
}

function packageProblems(path: string, { license, integrity, resolved, link, dev }: Locked): string[] {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const licence = license ?? UNNAMED.get(name) ?? "none";
  return [
    ...(link || !integrity?.startsWith("sha512-") ? ["has no SHA-512"] : []),
    ...(resolved === undefined || resolved.startsWith(REGISTRY)
      ? []
      : ["comes from elsewhere than the registry"]),
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
