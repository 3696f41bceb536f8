/**
 * Programs that read the manifests: an installed one, or the pinned one of the npm registry, which is made for x64. On another
 * CPU Debian's qemu runs that one; it takes long, so only the nightly tests do.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { type KubeObject, readObjects } from "../../deploy/cluster/kustomize/objects.ts";
import { cacheDir } from "../../deploy/lib/paths.ts";
import { type ArchiveName, archiveOf } from "../../deploy/local/archives/archives.ts";
import { fetchDebianProgram } from "../../deploy/local/archives/debian-package.ts";
import { fetchArchive } from "../../deploy/local/archives/fetch-archive.ts";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { findProgram, isExecutable } from "../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../shared/config/config.ts";
import { quietReport } from "../support/quiet-report.ts";
import { isNightly } from "../support/repetitions.ts";

/** A machine that emulates the CPU is slow. */
const WITHIN_MS = 600_000;

const installed = (name: string): string | null =>
  findProgram(name, processEnv().PATH, ["/usr/bin", "/usr/local/bin"]);

export const isAtHand = (name: ArchiveName): boolean =>
  installed(name) !== null || (archiveOf(name, "x64") !== null && (process.arch === "x64" || isNightly));

export function helmTemplate(chart: string, values: object, valuesFile: string): Promise<KubeObject[]> {
  writeFileSync(valuesFile, stringify(values));
  const args = ["--values", valuesFile, "--kube-version", "1.30.0"];
  return objectsOf("helm", "template", "partner-onboarding", chart, ...args);
}

export const buildWithKustomize = (folder: string): Promise<KubeObject[]> =>
  objectsOf("kustomize", "build", folder);

async function objectsOf(name: ArchiveName, ...args: string[]): Promise<KubeObject[]> {
  const [command, ...before] = await pinnedProgram(name);
  const { ok, stdout, stderr } = await runCommand(command, [...before, ...args], { withinMs: WITHIN_MS });
  if (!ok) throw new Error(`${name}: ${stderr.trim()}`);
  return readObjects(stdout, `the output of ${name}`);
}

/** The program, after the program that runs it. */
async function pinnedProgram(name: ArchiveName): Promise<[string, ...string[]]> {
  const own = installed(name);
  if (own) return [own];
  const archive = archiveOf(name, "x64");
  if (!archive) throw new Error(`No ${name} is available here. Put one on the PATH.`);
  const program = join(await fetchArchive(archive, cacheDir(), quietReport), name);
  if (process.arch === "x64") return [program];
  return [await debianProgram("qemu-x86_64-static", "qemu-user-static"), program];
}

/** Checks alert rules the way Prometheus reads them. */
export const findPromtool = (): Promise<string> => debianProgram("promtool", "prometheus");

async function debianProgram(name: string, packageName: string): Promise<string> {
  const own = installed(name);
  if (own) return own;
  const cached = join(cacheDir(), `${name}-debian`, name);
  if (isExecutable(cached)) return cached;
  const from = `usr/bin/${name}`;
  await fetchDebianProgram({ packageName, from }, cacheDir(), cached).catch((cause: Error) => {
    const help = `Install it (apt-get install ${packageName}) or put it on the PATH.`;
    throw new Error(`${name} is missing and could not be fetched: ${cause.message}. ${help}`, { cause });
  });
  return cached;
}
