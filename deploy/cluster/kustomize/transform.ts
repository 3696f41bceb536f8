/** Patches, namespace, labels and images, in the order in which kustomize applies them. */
import { parse } from "yaml";
import { applyJsonPatch, type Operation } from "./json-patch.ts";
import { type Fields, idOf, type KubeObject, podTemplates } from "./objects.ts";
import { deletes, strategicMerge } from "./strategic-merge.ts";

export type Patch = { patch: string; target?: { kind?: string; name?: string } };
export type Labels = { pairs: Record<string, string> };
export type Image = { name: string; newName?: string; newTag?: string; digest?: string };

const CLUSTER_SCOPED = new Set([
  "Namespace",
  "PriorityClass",
  "ClusterRole",
  "ClusterRoleBinding",
  "ClusterIssuer",
]);

export function applyPatch(objects: KubeObject[], { patch, target }: Patch): KubeObject[] {
  const content = parse(patch, { version: "1.1" }) as Fields | Operation[];
  const wanted = target ?? targetOf(content);
  const hits = objects.filter((object) => matches(object, wanted));
  if (hits.length === 0) throw new Error(`a patch finds no object for ${JSON.stringify(wanted)}`);
  if (Array.isArray(content))
    return objects.map((object) =>
      hits.includes(object) ? (applyJsonPatch(object, content) as KubeObject) : object,
    );
  if (deletes(content)) return objects.filter((object) => !hits.includes(object));
  return objects.map((object) => (hits.includes(object) ? merged(object, content) : object));
}

/** The patch's own kind and name only choose the target; they change nothing. */
function merged(object: KubeObject, patch: Fields): KubeObject {
  const { name, namespace } = object.metadata;
  const result = strategicMerge(object as unknown as Fields, patch) as unknown as KubeObject;
  const metadata = { ...result.metadata, name, ...(namespace ? { namespace } : {}) };
  return { ...result, apiVersion: object.apiVersion, kind: object.kind, metadata };
}

const targetOf = (patch: Fields | Operation[]) => {
  if (Array.isArray(patch)) throw new Error("a JSON patch without a target");
  const { kind, metadata } = patch as unknown as KubeObject;
  return { kind, name: metadata.name };
};

/** kustomize reads both as regular expressions over the whole value. */
const matches = (object: KubeObject, target: { kind?: string; name?: string }): boolean =>
  whole(target.kind).test(object.kind) && whole(target.name).test(object.metadata.name);

const whole = (pattern = ".*"): RegExp => new RegExp(`^(?:${pattern})$`);

export function setNamespace(object: KubeObject, namespace: string): KubeObject {
  if (object.kind === "Namespace") return { ...object, metadata: { ...object.metadata, name: namespace } };
  if (CLUSTER_SCOPED.has(object.kind)) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

export const addLabels = (objects: KubeObject[], { pairs }: Labels): KubeObject[] =>
  objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...pairs } },
  }));

export function setImages(objects: KubeObject[], images: readonly Image[]): KubeObject[] {
  if (images.length === 0) return objects;
  const changed = structuredClone(objects);
  const used = new Set<string>();
  for (const { template } of podTemplates(changed))
    for (const container of [...(template.spec.initContainers ?? []), ...template.spec.containers]) {
      const image = images.find(({ name }) => name === container.image?.split(/[:@]/)[0]);
      if (!image) continue;
      used.add(image.name);
      container.image = imageName(container.image, image);
    }
  const unused = images.filter(({ name }) => !used.has(name));
  if (unused.length > 0) throw new Error(`images: nothing uses ${unused.map(({ name }) => name).join(", ")}`);
  return changed;
}

function imageName(old: string, { name, newName = name, newTag, digest }: Image): string {
  if (digest) return `${newName}@${digest}`;
  return newTag ? `${newName}:${newTag}` : old.replace(name, newName);
}

export function refuseDuplicates(objects: readonly KubeObject[]): void {
  const seen = new Set<string>();
  for (const object of objects) {
    const id = `${object.apiVersion} ${idOf(object)} in ${object.metadata.namespace}`;
    if (seen.has(id)) throw new Error(`two objects are ${id}`);
    seen.add(id);
  }
}
