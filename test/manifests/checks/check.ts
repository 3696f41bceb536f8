/** A row of the deployment checklist as a pure function: what is wrong with these objects. */
import type { Installation } from "../../../deploy/cluster/installation.rules.ts";
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";

export type Check = {
  /** The row, and what it asks for. */
  row: string;
  /** The installation's values are its own: a check looks that they are where they belong. */
  problems(objects: readonly KubeObject[], installation: Installation): string[];
};

export type Pod = { name: string; owner: KubeObject; labels: Record<string, string>; spec: Loose };

export const ofKind = (objects: readonly KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => object.kind === kind);

export const named = (objects: readonly KubeObject[], kind: string, name: string): KubeObject | undefined =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

export const podsOf = (objects: readonly KubeObject[]): Pod[] =>
  objects
    .filter((object) => object.spec?.template?.spec?.containers)
    .map((owner) => ({
      name: `${owner.kind}/${owner.metadata.name}`,
      owner,
      labels: owner.spec.template.metadata?.labels ?? {},
      spec: owner.spec.template.spec,
    }));

export const containersOf = ({ spec }: Pod): Loose[] => [...(spec.initContainers ?? []), ...spec.containers];

type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

export function selects(selector: Selector, labels: Record<string, string>): boolean {
  const byLabel = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return byLabel && (selector.matchExpressions ?? []).every((expression) => fits(expression, labels));
}

function fits(
  { key, operator, values = [] }: NonNullable<Selector["matchExpressions"]>[number],
  labels: Record<string, string>,
): boolean {
  const value = labels[key];
  if (operator === "In") return value !== undefined && values.includes(value);
  if (operator === "NotIn") return value === undefined || !values.includes(value);
  if (operator === "Exists") return value !== undefined;
  if (operator === "DoesNotExist") return value === undefined;
  throw new Error(`operator ${operator}`);
}

/** Runs a rule over many things and puts each thing's name before its problems. */
export const each = <T>(
  things: readonly T[],
  name: (thing: T) => string,
  rule: (thing: T) => (string | false | undefined)[],
) =>
  things.flatMap((thing) =>
    rule(thing)
      .filter((problem): problem is string => typeof problem === "string")
      .map((problem) => `${name(thing)}: ${problem}`),
  );
