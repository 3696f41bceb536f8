/** The helm program itself. */
import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { type KubeObject, readObjects } from "../../../deploy/cluster/kustomize/objects.ts";
import { runCommand } from "../../../deploy/local/archives/run-command.ts";
import { pinnedProgram } from "./pinned-program.ts";

/** It may be read by a machine that only pretends to be one, beside other tests. */
const WITHIN_MS = 300_000;

export async function helmTemplate(chart: string, values: object, valuesFile: string): Promise<KubeObject[]> {
  writeFileSync(valuesFile, stringify(values));
  const args = ["template", "partner-onboarding", chart, "--values", valuesFile, "--kube-version", "1.30.0"];
  const [command, ...before] = await pinnedProgram("helm");
  const { ok, stdout, stderr } = await runCommand(command, [...before, ...args], { withinMs: WITHIN_MS });
  if (!ok) throw new Error(stderr);
  return readObjects(stdout, "what helm printed");
}
