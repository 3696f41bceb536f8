/** The few words of JSON Schema that our answers use; says where a value differs, also by a property too many. */
type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  pattern?: string;
};

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => value !== null && typeof value === "object" && !Array.isArray(value),
};

export function differences(value: unknown, schema: Schema, path = "value"): string[] {
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => differences(value, one, path));
    return each.some((found) => found.length === 0) ? [] : (each[0] ?? []);
  }
  if (schema.type && !TYPES[schema.type]?.(value))
    return [`${path} is no ${schema.type}: ${JSON.stringify(value)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is none of its values: ${value}`];
  if (schema.pattern && !new RegExp(schema.pattern).test(String(value))) return [`${path} does not match`];
  if (schema.items)
    return (value as unknown[]).flatMap((item, at) =>
      differences(item, schema.items ?? {}, `${path}[${at}]`),
    );
  if (!schema.properties) return [];
  const given = value as Record<string, unknown>;
  const names = Object.keys(schema.properties);
  return [
    ...Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => `${path}.${name} is not in the schema`),
    ...names.flatMap((name) =>
      name in given
        ? differences(given[name], schema.properties?.[name] ?? {}, `${path}.${name}`)
        : [`${path}.${name} is missing`],
    ),
  ];
}
