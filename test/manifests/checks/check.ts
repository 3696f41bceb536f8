/** A row of the deployment checklist as a pure function: what is wrong with these objects. */
import type { Installation } from "../../../deploy/cluster/installation.rules.ts";
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";

export type Check = {
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

type Problems = (string | false | undefined)[];

export const each = <T>(
  things: readonly T[],
  name: (thing: T) => string,
  rule: (thing: T) => Problems,
): string[] =>
  things.flatMap((thing) =>
    rule(thing)
      .filter((problem): problem is string => typeof problem === "string")
      .map((problem) => `${name(thing)}: ${problem}`),
  );

type Rule<T> = (thing: T, objects: readonly KubeObject[], installation: Installation) => Problems;

const per =
  <T>(things: (objects: readonly KubeObject[]) => T[], name: (thing: T) => string) =>
  (row: string, rule: Rule<T>): Check => ({
    row,
    problems: (objects, installation) =>
      each(things(objects), name, (thing) => rule(thing, objects, installation)),
  });

export const perPod = per(podsOf, ({ name }) => name);
export const perProcess = per(
  (objects) => podsOf(objects).filter(({ owner }) => owner.kind === "Deployment"),
  ({ name }) => name,
);
export const perKind = (kind: string) =>
  per(
    (objects) => ofKind(objects, kind),
    ({ metadata }) => `${kind}/${metadata.name}`,
  );

export const perContainer = (
  row: string,
  rule: (container: Loose, pod: Pod, objects: readonly KubeObject[]) => Problems,
): Check =>
  perPod(row, (pod, objects) =>
    each(
      containersOf(pod),
      ({ name }) => name,
      (container) => rule(container, pod, objects),
    ),
  );
