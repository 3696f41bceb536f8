/** Strategic merge as kustomize does it: lists with a known key are merged by it, every other list is replaced. */
import { type Fields, isFields, type Json } from "./objects.ts";

/** By the name of the field; those of the kinds in deploy/k8s. */
const MERGE_KEYS: Record<string, string> = {
  containers: "name",
  initContainers: "name",
  volumes: "name",
  env: "name",
  imagePullSecrets: "name",
  volumeMounts: "mountPath",
  topologySpreadConstraints: "topologyKey",
};

/** The same field name means a container's or a Service's ports. */
const portKey = (items: Fields[]): string =>
  items.some((item) => "containerPort" in item) ? "containerPort" : "port";

const DIRECTIVE = "$patch";

export function strategicMerge(target: Fields, patch: Fields): Fields {
  const merged: Fields = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) throw new Error(`strategic merge: ${key} is not understood here`);
    if (value === null) delete merged[key];
    else merged[key] = mergeValue(key, merged[key], value);
  }
  return merged;
}

function mergeValue(key: string, old: Json | undefined, patch: Json): Json {
  if (isFields(patch)) return strategicMerge(isFields(old) ? old : {}, patch);
  if (!Array.isArray(patch) || !Array.isArray(old)) return patch;
  const items = patch.filter(isFields);
  const mergeKey = key === "ports" ? portKey(items) : MERGE_KEYS[key];
  return mergeKey && items.length === patch.length ? mergeList(old as Fields[], items, mergeKey) : patch;
}

/** New items come first, as kustomize puts them. */
function mergeList(old: Fields[], patch: Fields[], mergeKey: string): Fields[] {
  const kept = old.filter(
    (item) => !patch.some((other) => other[mergeKey] === item[mergeKey] && deletes(other)),
  );
  const changed = kept.map((item) => {
    const change = patch.find((other) => other[mergeKey] === item[mergeKey]);
    return change ? strategicMerge(item, change) : item;
  });
  const added = patch.filter(
    (item) => !deletes(item) && !old.some((other) => other[mergeKey] === item[mergeKey]),
  );
  return [...added.map((item) => strategicMerge({}, item)), ...changed];
}

export const deletes = (patch: Fields): boolean => {
  if (!(DIRECTIVE in patch)) return false;
  if (patch[DIRECTIVE] !== "delete")
    throw new Error(`strategic merge: $patch: ${patch[DIRECTIVE]} is not understood here`);
  return true;
};
