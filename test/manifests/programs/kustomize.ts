/** The kustomize program itself. */
import { type KubeObject, readObjects } from "../../../deploy/cluster/kustomize/objects.ts";
import { runCommand } from "../../../deploy/local/archives/run-command.ts";
import { pinnedProgram } from "./pinned-program.ts";

/** It may be read by a machine that only pretends to be one, beside other tests. */
const BUILD_WITHIN_MS = 600_000;

export async function buildWithKustomize(folder: string): Promise<KubeObject[]> {
  const [command, ...before] = await pinnedProgram("kustomize");
  const { ok, stdout, stderr } = await runCommand(command, [...before, "build", folder], {
    withinMs: BUILD_WITHIN_MS,
  });
  if (!ok) throw new Error(`kustomize build: ${stderr.trim()}`);
  return readObjects(stdout, "what kustomize printed");
}
