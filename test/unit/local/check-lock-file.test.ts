import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { type LockFile, lockFileProblems } from "../../../deploy/local/check-lock-file.ts";

const manifest = { dependencies: { one: "1.2.3" }, devDependencies: { tool: "2.0.0-rc.1" } };
const good = { integrity: "sha512-x", license: "MIT" };
const lock = (packages: LockFile["packages"] = {}): LockFile => ({
  lockfileVersion: 3,
  packages: {
    "node_modules/one": { ...good, resolved: "https://registry.npmjs.org/one/-/one-1.2.3.tgz" },
    "node_modules/tool": { ...good, dev: true, license: "(MIT OR GPL-3.0)" },
    ...packages,
  },
});

test("a lock file with pins, hashes and known licences: nothing to say", () => {
  expect(lockFileProblems(manifest, lock())).toEqual([]);
});

test.each<[string, LockFile["packages"], string]>([
  ["no hash", { "node_modules/one": { license: "MIT" } }, "node_modules/one has no SHA-512"],
  [
    "a weak hash",
    { "node_modules/one": { ...good, integrity: "sha1-x" } },
    "node_modules/one has no SHA-512",
  ],
  ["a folder", { "node_modules/one": { ...good, link: true } }, "node_modules/one has no SHA-512"],
  [
    "a repository",
    { "node_modules/one": { ...good, resolved: "git+ssh://git@example.com/one.git" } },
    "node_modules/one comes from elsewhere than the registry",
  ],
  [
    "another registry",
    { "node_modules/one": { ...good, resolved: "https://registry.example.com/one.tgz" } },
    "node_modules/one comes from elsewhere than the registry",
  ],
  [
    "a licence that asks for more",
    { "node_modules/a/node_modules/one": { ...good, license: "AGPL-3.0" } },
    "node_modules/a/node_modules/one has the licence AGPL-3.0",
  ],
  [
    "one of two licences that asks for more",
    { "node_modules/one": { ...good, license: "MIT AND GPL-3.0" } },
    "node_modules/one has the licence MIT AND GPL-3.0",
  ],
  [
    "a licence for tools in what is shipped",
    { "node_modules/one": { ...good, license: "CC-BY-4.0" } },
    "node_modules/one has the licence CC-BY-4.0",
  ],
  ["no licence", { "node_modules/one": { integrity: "sha512-x" } }, "node_modules/one has the licence none"],
])("%s: named", (_, packages, problem) => {
  expect(lockFileProblems(manifest, lock(packages))).toEqual([problem]);
});

test("a range in place of a version, and an old lock file: named", () => {
  const ranged = { dependencies: { one: "^1.2.3" } };
  expect(lockFileProblems(ranged, { lockfileVersion: 2 })).toEqual([
    "the lock file is not of version 3",
    "one is not pinned to one version",
  ]);
});

test("the image has its bill of materials beside the packages it was made from", () => {
  const dockerfile = readFileSync(join(projectDir, "deploy/Dockerfile"), "utf8");
  expect(dockerfile).toMatch(
    /RUN npm ci [^\n]*\\\n[^\n]*\\\n +npm sbom --sbom-format=cyclonedx > sbom\.cdx\.json\n/,
  );
  expect(dockerfile).toContain("COPY --from=dependencies /app/sbom.cdx.json sbom.cdx.json");
});
