/** Generated ConfigMaps: made or merged from literals and files, and named by the hash of their content. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type KubeObject, type Loose, podTemplates } from "./objects.ts";

export type Generator = {
  name: string;
  namespace?: string;
  behavior?: string;
  literals?: string[];
  files?: string[];
};

const GENERATOR_FIELDS = ["name", "namespace", "behavior", "literals", "files"];

export function generate(objects: KubeObject[], generator: Generator, folder: string): KubeObject[] {
  const unknown = Object.keys(generator).filter((key) => !GENERATOR_FIELDS.includes(key));
  if (unknown.length > 0) throw new Error(`configMapGenerator: ${unknown.join(", ")} is not understood here`);
  const { name, namespace, behavior = "create" } = generator;
  const data = Object.fromEntries([
    ...(generator.literals ?? []).map(literal),
    ...(generator.files ?? []).map((file) => [basename(file), readFileSync(join(folder, file), "utf8")]),
  ]);
  const existing = objects.find(
    ({ kind, metadata }) =>
      kind === "ConfigMap" &&
      metadata.name === name &&
      (namespace ?? metadata.namespace) === metadata.namespace,
  );
  if (behavior === "create" && !existing)
    return [...objects, { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data }];
  if (behavior === "merge" && existing)
    return objects.map((object) =>
      object === existing ? { ...existing, data: { ...existing.data, ...data } } : object,
    );
  throw new Error(`configMapGenerator: cannot ${behavior} ${name}: it does ${existing ? "" : "not "}exist`);
}

function literal(text: string): [string, string] {
  const cut = text.indexOf("=");
  if (cut < 1) throw new Error(`configMapGenerator: ${text} is not name=value`);
  return [text.slice(0, cut), text.slice(cut + 1)];
}

/** Gives each generated ConfigMap its final name, also where pods refer to it. */
export function nameByContent(objects: KubeObject[], generated: ReadonlySet<string>): void {
  const names = new Map<string, string>();
  for (const object of objects) {
    if (object.kind !== "ConfigMap" || !generated.has(object.metadata.name)) continue;
    const { name } = object.metadata;
    object.metadata.name = `${name}-${contentHash(object.data)}`;
    names.set(name, object.metadata.name);
  }
  for (const { template } of podTemplates(objects)) renameReferences(template.spec, names);
}

function renameReferences(spec: Loose, names: ReadonlyMap<string, string>): void {
  const containers: Loose[] = [...(spec.initContainers ?? []), ...spec.containers];
  const references: Loose[] = [
    ...containers.flatMap(({ envFrom = [] }) => envFrom.map((source: Loose) => source.configMapRef)),
    ...containers.flatMap(({ env = [] }) => env.map((item: Loose) => item.valueFrom?.configMapKeyRef)),
    ...(spec.volumes ?? []).map((volume: Loose) => volume.configMap),
  ];
  for (const reference of references) {
    const renamed = reference && names.get(reference.name);
    if (renamed) reference.name = renamed;
  }
}

/** kustomize's own: ten digits of the SHA-256, with letters that cannot form words. It takes the name for empty. */
function contentHash(data: Record<string, string>): string {
  const sorted = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify({ data: sorted, kind: "ConfigMap", name: "" });
  const digits = createHash("sha256").update(text).digest("hex").slice(0, 10);
  const replaced: Record<string, string> = { "0": "g", "1": "h", "3": "k", a: "m", e: "t" };
  return digits.replaceAll(/[013ae]/g, (digit) => replaced[digit] ?? digit);
}
