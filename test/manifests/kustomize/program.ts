/** The kustomize program itself: one that is installed, or the pinned one where the registry has it. */
import { join } from "node:path";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { archiveOf } from "../../../deploy/local/archives/archives.ts";
import { fetchArchive } from "../../../deploy/local/archives/fetch-archive.ts";
import { runCommand } from "../../../deploy/local/archives/run-command.ts";
import { quietReport } from "../../../deploy/local/report.ts";
import { findProgram } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { type KubeObject, readObjects } from "./objects.ts";

const BUILD_WITHIN_MS = 60_000;

const installed = findProgram("kustomize", processEnv().PATH, ["/usr/bin", "/usr/local/bin"]);
const archive = archiveOf("kustomize", process.arch);

export const canHaveKustomize = installed !== null || archive !== null;

export async function buildWithKustomize(folder: string): Promise<KubeObject[]> {
  const { ok, stdout, stderr } = await runCommand(await program(), ["build", folder], {
    withinMs: BUILD_WITHIN_MS,
  });
  if (!ok) throw new Error(`kustomize build: ${stderr.trim()}`);
  return readObjects(stdout, "what kustomize printed");
}

async function program(): Promise<string> {
  if (installed) return installed;
  if (!archive) throw new Error("No kustomize can be had for this CPU; put one on the PATH.");
  return join(await fetchArchive(archive, cacheDir(), quietReport), "kustomize");
}
