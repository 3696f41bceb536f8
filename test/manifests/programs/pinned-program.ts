/**
 * A program that the manifests are given to: one that is installed, or the pinned one of the npm registry, which is made for x64.
 * On another CPU Debian's qemu runs that one; it takes long, so only the nightly tests do.
 */
import { join } from "node:path";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { type ArchiveName, archiveOf } from "../../../deploy/local/archives/archives.ts";
import { fetchDebianProgram } from "../../../deploy/local/archives/debian-package.ts";
import { fetchArchive } from "../../../deploy/local/archives/fetch-archive.ts";
import { findProgram, isExecutable } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { quietReport } from "../../support/quiet-report.ts";
import { repetitions } from "../../support/repetitions.ts";

const QEMU = { packageName: "qemu-user-static", from: "usr/bin/qemu-x86_64-static" };

const installed = (name: string): string | null =>
  findProgram(name, processEnv().PATH, ["/usr/bin", "/usr/local/bin"]);

/** Whether the tests that need it run now. */
export const isAtHand = (name: ArchiveName): boolean =>
  installed(name) !== null ||
  (archiveOf(name, "x64") !== null &&
    (process.arch === "x64" || repetitions({ short: 0, nightly: 1 }) === 1));

/** The program, with what runs it before. */
export async function pinnedProgram(name: ArchiveName): Promise<[string, ...string[]]> {
  const own = installed(name);
  if (own) return [own];
  const archive = archiveOf(name, "x64");
  if (!archive) throw new Error(`No ${name} can be had here; put one on the PATH.`);
  const program = join(await fetchArchive(archive, cacheDir(), quietReport), name);
  return process.arch === "x64" ? [program] : [await qemu(), program];
}

async function qemu(): Promise<string> {
  const own = installed("qemu-x86_64-static");
  if (own) return own;
  const cached = join(cacheDir(), "qemu-debian", "qemu-x86_64-static");
  if (!isExecutable(cached)) await fetchDebianProgram(QEMU, cacheDir(), cached);
  return cached;
}
