/** The helm program: one that is installed, or the pinned one of the npm registry, on other CPUs through Debian's qemu. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { archiveOf } from "../../../deploy/local/archives/archives.ts";
import { fetchDebianProgram } from "../../../deploy/local/archives/debian-package.ts";
import { fetchArchive } from "../../../deploy/local/archives/fetch-archive.ts";
import { runCommand } from "../../../deploy/local/archives/run-command.ts";
import { quietReport } from "../../../deploy/local/report.ts";
import { findProgram, isExecutable } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { type KubeObject, readObjects } from "../kustomize/objects.ts";

/** The pinned one is read by a machine that only pretends to be one, beside other tests. */
const WITHIN_MS = 300_000;
const QEMU = { packageName: "qemu-user-static", from: "usr/bin/qemu-x86_64-static" };
const DIRS = ["/usr/bin", "/usr/local/bin"];

export async function helmTemplate(chart: string, values: object, valuesFile: string): Promise<KubeObject[]> {
  writeFileSync(valuesFile, stringify(values));
  const args = ["template", "partner-onboarding", chart, "--values", valuesFile, "--kube-version", "1.30.0"];
  const [command = "", ...before] = await helm();
  const { ok, stdout, stderr } = await runCommand(command, [...before, ...args], { withinMs: WITHIN_MS });
  if (!ok) throw new Error(stderr);
  return readObjects(stdout, "what helm printed");
}

/** The program, with what runs it before. */
async function helm(): Promise<string[]> {
  const installed = findProgram("helm", processEnv().PATH, DIRS);
  if (installed) return [installed];
  const archive = archiveOf("helm", "x64");
  if (!archive) throw new Error("No helm can be had here; put one on the PATH.");
  const program = join(await fetchArchive(archive, cacheDir(), quietReport), "helm");
  return process.arch === "x64" ? [program] : [await qemu(), program];
}

async function qemu(): Promise<string> {
  const installed = findProgram("qemu-x86_64-static", processEnv().PATH, DIRS);
  if (installed) return installed;
  const cached = join(cacheDir(), "qemu-debian", "qemu-x86_64-static");
  if (!isExecutable(cached)) await fetchDebianProgram(QEMU, cacheDir(), cached);
  return cached;
}
