/** Gives every object in the API document a name below components.schemas, because code generators make a type of each. */
import type { JsonSchema } from "../../shared/contract/answer-schema.ts";
import { isRecord } from "../../shared/is-record.ts";

export type NamedSchemas = {
  /** The schema with a reference in place of each object; `name` is for what has no title. */
  place(name: string, schema: JsonSchema): JsonSchema;
  all(): Record<string, JsonSchema>;
};

export function namedSchemas(): NamedSchemas {
  const schemas = new Map<string, JsonSchema>();

  function place(name: string, schema: JsonSchema): JsonSchema {
    const { title, description, ...content } = schema;
    const hasName = typeof title === "string";
    if (!hasName && !isRecord(content.properties)) return { ...schema, ...inner(name, content) };
    const known = hasName ? title : name;
    keep(known, { ...content, ...inner(known, content) });
    // The description belongs to the place of use.
    return { $ref: `#/components/schemas/${known}`, ...(description ? { description } : {}) };
  }

  function inner(name: string, { properties, items, anyOf, oneOf }: JsonSchema): JsonSchema {
    return {
      ...(isRecord(properties)
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([key, value]) => [
                key,
                place(`${name}${pascalCase(key)}`, value as JsonSchema),
              ]),
            ),
          }
        : {}),
      ...(isRecord(items) ? { items: place(`${name}Item`, items) } : {}),
      ...(Array.isArray(oneOf) ? { oneOf: oneOf.map((one: JsonSchema) => place(name, one)) } : {}),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((one: JsonSchema) => place(name, one)) } : {}),
    };
  }

  function keep(name: string, schema: JsonSchema): void {
    const before = schemas.get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are called ${name}.`);
    schemas.set(name, schema);
  }

  return { place, all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** "webhook-registry.rotateSecret" is WebhookRegistryRotateSecret. */
export const pascalCase = (text: string): string =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const camelCase = (text: string): string => {
  const pascal = pascalCase(text);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
};
