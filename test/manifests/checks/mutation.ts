/** How a mutation finds its place in the rendered objects. */
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { named } from "./check.ts";

export type Mutation = { row: string; what: string; change(objects: KubeObject[]): unknown };

export const get = (objects: KubeObject[], kind: string, name: string): KubeObject => {
  const object = named(objects, kind, name);
  if (!object) throw new Error(`no ${kind}/${name}`);
  return object;
};
export const pod = (objects: KubeObject[], name = "profile"): Loose =>
  get(objects, "Deployment", name).spec.template.spec;
export const container = (objects: KubeObject[], name = "profile"): Loose => pod(objects, name).containers[0];
export const policy = (objects: KubeObject[], name: string): Loose =>
  get(objects, "NetworkPolicy", name).spec;
export const settings = (objects: KubeObject[]): Loose =>
  objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith("settings"))?.data;
export const variable = (objects: KubeObject[], name: string): Loose =>
  container(objects).env.find((item: Loose) => item.name === name);
export const remove = (objects: KubeObject[], kind: string, name: string): unknown =>
  objects.splice(objects.indexOf(get(objects, kind, name)), 1);
