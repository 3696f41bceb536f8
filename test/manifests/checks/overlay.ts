/** An overlay as the checks look at it: its objects, by namespace, and what is particular to the installation. */
import { join } from "node:path";
import type { Installation } from "../../../deploy/cluster/installation.rules.ts";
import type { KubeObject } from "../../../deploy/cluster/kustomize/objects.ts";
import { renderKustomization } from "../../../deploy/cluster/kustomize/render.ts";
import { readInstallation } from "../../../deploy/cluster/read-installation.ts";

const K8S = join(import.meta.dirname, "../../../deploy/k8s");

export type Overlay = {
  objects: KubeObject[];
  installation: Installation;
  all: KubeObject[];
};

/** The project's own are read once: most of the time that a check takes is YAML. */
const own = new Map<string, Overlay>();
export const overlayOf = (name: string, k8s = K8S): Overlay => {
  const overlay = (k8s === K8S && own.get(name)) || readOverlay(join(k8s, "overlays", name));
  if (k8s === K8S) own.set(name, overlay);
  return structuredClone(overlay);
};

function readOverlay(folder: string): Overlay {
  const all = renderKustomization(folder);
  return { all, objects: within(all, "partner-onboarding"), installation: readInstallation(folder) };
}

/** An object without a namespace belongs to our processes. The installation's values are left out. */
export const within = (objects: readonly KubeObject[], namespace: string): KubeObject[] =>
  objects.filter(({ kind, metadata }) => {
    if (kind === "ConfigMap" && metadata.name === "installation") return false;
    return (
      (kind === "Namespace" ? metadata.name : (metadata.namespace ?? "partner-onboarding")) === namespace
    );
  });
