/**
 * Renders a kustomize folder: the fields that deploy/k8s uses, and an error for any other, so that nothing is ignored
 * silently. It replaces the kustomize program, which not every machine has; test/manifests/real-kustomize.test.ts compares the
 * two where the program is present.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Generator, generate, nameByContent } from "./config-maps.ts";
import { type KubeObject, readObjects } from "./objects.ts";
import { applyReplacement, type Replacement } from "./replacements.ts";
import {
  addLabels,
  applyPatch,
  type Image,
  type Labels,
  type Patch,
  refuseDuplicates,
  setImages,
  setNamespace,
} from "./transform.ts";

type Kustomization = {
  kind: "Kustomization" | "Component";
  namespace?: string;
  resources?: string[];
  components?: string[];
  configMapGenerator?: Generator[];
  labels?: Labels[];
  patches?: (Partial<Patch> & { path?: string })[];
  images?: Image[];
  replacements?: Replacement[];
};

const FIELDS = [
  "apiVersion",
  "kind",
  "namespace",
  "resources",
  "components",
  "configMapGenerator",
  "labels",
  "patches",
  "images",
  "replacements",
];
const FIELDS_WITHIN: Record<string, readonly string[]> = {
  labels: ["pairs"],
  patches: ["path", "patch", "target"],
  images: ["name", "newName", "newTag", "digest"],
};

export function renderKustomization(folder: string): KubeObject[] {
  const generated = new Set<string>();
  const objects = accumulate(folder, [], generated);
  refuseDuplicates(objects);
  nameByContent(objects, generated);
  return objects;
}

/** A Component works on what its user has gathered so far; a Kustomization begins with nothing. */
function accumulate(folder: string, before: KubeObject[], generated: Set<string>): KubeObject[] {
  const kustomization = readKustomization(folder);
  let objects = before;
  for (const resource of kustomization.resources ?? []) {
    const path = join(folder, resource);
    const added = statSync(path).isDirectory()
      ? accumulate(path, [], generated)
      : readObjects(readFileSync(path, "utf8"), path);
    objects = [...objects, ...added];
  }
  refuseDuplicates(objects);
  for (const generator of kustomization.configMapGenerator ?? []) {
    objects = generate(objects, generator, folder);
    generated.add(generator.name);
  }
  for (const component of kustomization.components ?? [])
    objects = accumulate(join(folder, component), objects, generated);
  for (const { path, patch, target } of kustomization.patches ?? [])
    objects = applyPatch(objects, {
      patch: patch ?? readFileSync(join(folder, path ?? ""), "utf8"),
      ...(target ? { target } : {}),
    });
  const { namespace } = kustomization;
  if (namespace) objects = objects.map((object) => setNamespace(object, namespace));
  for (const labels of kustomization.labels ?? []) objects = addLabels(objects, labels);
  objects = setImages(objects, kustomization.images ?? []);
  return (kustomization.replacements ?? []).reduce(applyReplacement, objects);
}

function readKustomization(folder: string): Kustomization {
  const file = join(folder, "kustomization.yaml");
  const content = parse(readFileSync(file, "utf8"), { version: "1.1" }) as Record<string, unknown>;
  const unknown = Object.keys(content).filter((field) => !FIELDS.includes(field));
  for (const [field, allowed] of Object.entries(FIELDS_WITHIN))
    for (const item of (content[field] ?? []) as object[])
      unknown.push(
        ...Object.keys(item)
          .filter((key) => !allowed.includes(key))
          .map((key) => `${field}.${key}`),
      );
  if (unknown.length > 0) throw new Error(`${file}: ${unknown.join(", ")} is not understood here`);
  const expected = content.kind === "Component" ? "v1alpha1" : "v1beta1";
  if (content.apiVersion !== `kustomize.config.k8s.io/${expected}`)
    throw new Error(`${file}: a ${content.kind} is of kustomize.config.k8s.io/${expected}`);
  return content as Kustomization;
}
