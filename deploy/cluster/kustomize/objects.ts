/** Manifests as plain data, as the API server would get them. */
import { parseAllDocuments } from "yaml";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

// biome-ignore lint/suspicious/noExplicitAny: a manifest has as many shapes as there are kinds; test/manifests/checks/schema.ts checks them.
export type Loose = any;

export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: Loose;
};

/** YAML 1.1, as kubectl reads it: 0400 is octal and `on` is true. */
export function readObjects(text: string, file: string): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const document of parseAllDocuments(text, { version: "1.1", uniqueKeys: true })) {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
    const value = document.toJS() as KubeObject | null;
    if (value === null) continue;
    if (!value.apiVersion || !value.kind || !value.metadata?.name)
      throw new Error(`${file}: an object without apiVersion, kind or metadata.name`);
    objects.push(value);
  }
  return objects;
}

export const idOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every pod template in a list of objects, with the object that owns it. */
export const podTemplates = (objects: readonly KubeObject[]): { owner: KubeObject; template: Loose }[] =>
  objects
    .filter((object) => object.spec?.template?.spec?.containers)
    .map((owner) => ({ owner, template: owner.spec.template }));
