/** Values of one object put into fields of others, as kustomize's replacements do it. */
import { type Fields, isFields, type Json, type KubeObject } from "./objects.ts";

type Selector = { kind?: string; name?: string; namespace?: string };
type Target = { select: Selector; fieldPaths: string[]; options?: { delimiter: string; index: number } };
export type Replacement = { source: Selector & { fieldPath: string }; targets: Target[] };

const KNOWN: Record<string, readonly string[]> = {
  replacement: ["source", "targets"],
  source: ["kind", "name", "namespace", "fieldPath"],
  target: ["select", "fieldPaths", "options"],
  select: ["kind", "name", "namespace"],
  options: ["delimiter", "index"],
};

export function applyReplacement(objects: KubeObject[], replacement: Replacement): KubeObject[] {
  refuseUnknown("replacement", replacement);
  refuseUnknown("source", replacement.source);
  const sources = objects.filter((object) => isSelected(object, replacement.source));
  const [source] = sources;
  if (!source || sources.length > 1)
    throw new Error(`replacements: ${sources.length} objects are the source`);
  const [value] = placesOf(source as Json, replacement.source.fieldPath).map(
    ({ parent, key }) => parent[key],
  );
  if (value === undefined) throw new Error(`replacements: there is no ${replacement.source.fieldPath}`);
  const isTarget = (object: KubeObject) =>
    replacement.targets.some(({ select }) => isSelected(object, select));
  const changed = objects.map((object) => (isTarget(object) ? structuredClone(object) : object));
  for (const target of replacement.targets) replaceIn(changed, target, String(value));
  return changed;
}

/** A target that finds no object is passed over, as kustomize does; a field that is not there is an error. */
function replaceIn(
  objects: KubeObject[],
  { select, fieldPaths, options, ...rest }: Target,
  value: string,
): void {
  refuseUnknown("target", { select, fieldPaths, ...rest });
  refuseUnknown("select", select);
  refuseUnknown("options", options ?? {});
  for (const object of objects.filter((candidate) => isSelected(candidate, select)))
    for (const path of fieldPaths) {
      const places = placesOf(object as Json, path);
      if (places.length === 0)
        throw new Error(`replacements: ${object.kind}/${object.metadata.name} has no ${path}`);
      for (const { parent, key } of places) {
        const old = parent[key];
        const text = options ? inserted(String(old), options, value) : value;
        parent[key] = typeof old === "number" ? Number(text) : text;
      }
    }
}

const inserted = (
  old: string,
  { delimiter, index }: { delimiter: string; index: number },
  value: string,
): string =>
  old
    .split(delimiter)
    .map((part, at) => (at === index ? value : part))
    .join(delimiter);

const isSelected = ({ kind, metadata }: KubeObject, wanted: Selector): boolean =>
  (wanted.kind ?? kind) === kind &&
  (wanted.name ?? metadata.name) === metadata.name &&
  (wanted.namespace ?? metadata.namespace) === metadata.namespace;

/** `a.b\.c.0.*.d`: a dot of a name is escaped, a star is every item. */
function placesOf(root: Json, path: string): { parent: Fields; key: string }[] {
  const steps = path.split(/(?<!\\)\./).map((step) => step.replaceAll("\\.", "."));
  const last = steps.pop() ?? "";
  const parents = steps.reduce<Json[]>((all, step) => all.flatMap((at) => childrenOf(at, step)), [root]);
  return parents.filter(isBranch).flatMap((parent) => (last in parent ? [{ parent, key: last }] : []));
}

/** A list is read by its indexes like any other. */
const isBranch = (value: Json): value is Fields => isFields(value) || Array.isArray(value);

function childrenOf(at: Json, step: string): Json[] {
  if (!isBranch(at)) return [];
  if (step === "*") return Object.values(at);
  const child = at[step];
  return child === undefined ? [] : [child];
}

function refuseUnknown(what: string, given: object): void {
  const unknown = Object.keys(given).filter((key) => !KNOWN[what]?.includes(key));
  if (unknown.length > 0)
    throw new Error(`replacements: ${what}.${unknown.join(", ")} is not understood here`);
}
