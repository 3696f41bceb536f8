/** The production overlay with other values and with fewer components. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Installation } from "../installation.rules.ts";
import type { KubeObject } from "../kustomize/objects.ts";
import { renderKustomization } from "../kustomize/render.ts";

const K8S = join(import.meta.dirname, "../../k8s");

/** All that production has and a MongoDB outside; or what remains without any extension of Kubernetes. */
export const FULL = [
  "external-secrets",
  "keda",
  "monitoring",
  "installation",
  "storage-outside",
  "mongodb-outside",
] as const;
export const PLAIN = ["installation"] as const;

export function productionWith(components: readonly string[], installation: Installation): KubeObject[] {
  const folder = mkdtempSync(join(tmpdir(), "production-"));
  try {
    return renderKustomization(writeProduction(folder, components, installation)).filter(isOfTheChart);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies the manifests into a folder; answers where in it the overlay is. */
export function writeProduction(
  folder: string,
  components: readonly string[],
  installation: Installation,
): string {
  cpSync(K8S, folder, { recursive: true });
  const overlay = join(folder, "overlays/production");
  const file = join(overlay, "kustomization.yaml");
  const list = components.map((name) => `  - ../../components/${name}\n`).join("");
  const text = readFileSync(file, "utf8").replace(/^components:\n(?: {2}- .*\n)+/m, `components:\n${list}`);
  writeFileSync(file, text);
  const metadata = { name: "installation", namespace: "partner-onboarding" };
  const values = stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: installation });
  writeFileSync(join(overlay, "installation.yaml"), values);
  return overlay;
}

/** Namespaces hold the Secrets, so they are there before a release; the values are those of the release itself. */
const isOfTheChart = ({ kind, metadata }: KubeObject): boolean =>
  kind !== "Namespace" && !(kind === "ConfigMap" && metadata.name === "installation");
