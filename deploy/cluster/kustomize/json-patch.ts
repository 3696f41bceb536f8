/** RFC 6902: add, remove, replace, test. A path that does not exist is an error, as in kustomize. */
import { isFields, type Json } from "./objects.ts";

export type Operation = { op: string; path: string; value?: Json };

export function applyJsonPatch(target: Json, operations: readonly Operation[]): Json {
  const result = structuredClone(target);
  for (const operation of operations) applyOne(result, operation);
  return result;
}

function applyOne(root: Json, { op, path, value = null }: Operation): void {
  const keys = path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop();
  if (last === undefined) throw new Error("JSON patch: the whole object cannot be replaced");
  const parent = keys.reduce<Json>((at, key) => child(at, key, path), root);
  if (op === "add") {
    add(parent, last, value, path);
    return;
  }
  const present = child(parent, last, path);
  if (op === "test") {
    if (JSON.stringify(present) !== JSON.stringify(value))
      throw new Error(`JSON patch: ${path} is not as tested`);
  } else if (op === "replace") set(parent, last, value);
  else if (op === "remove") remove(parent, last);
  else throw new Error(`JSON patch: operation ${op} is not understood here`);
}

function child(at: Json, key: string, path: string): Json {
  const value = Array.isArray(at) ? at[Number(key)] : isFields(at) ? at[key] : undefined;
  if (value === undefined) throw new Error(`JSON patch: there is no ${path}`);
  return value;
}

function add(parent: Json, key: string, value: Json, path: string): void {
  if (Array.isArray(parent)) parent.splice(key === "-" ? parent.length : Number(key), 0, value);
  else if (isFields(parent)) parent[key] = value;
  else throw new Error(`JSON patch: there is no ${path}`);
}

function set(parent: Json, key: string, value: Json): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else if (isFields(parent)) parent[key] = value;
}

function remove(parent: Json, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (isFields(parent)) delete parent[key];
}
