/** Building blocks of JSON Schema, for the answers in the API document. */
export type JsonSchema = Record<string, unknown>;

export const text = { type: "string" };
export const id = { type: "string", format: "uuid" };
export const time = { type: "string", format: "date-time" };
export const day = { type: "string", format: "date" };
export const uri = { type: "string", format: "uri" };
export const country = { type: "string", pattern: "^[A-Z]{3}$" };
export const number = { type: "integer" };
export const count = { type: "integer", minimum: 0 };
export const flag = { type: "boolean" };
export const always = (value: string | number): JsonSchema => ({ const: value });
export const oneOf = (values: readonly string[]): JsonSchema => ({ type: "string", enum: [...values] });
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
export const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
/** Every property is required. */
export const record = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
export const described = (schema: JsonSchema, description: string): JsonSchema => ({
  ...schema,
  description,
});
/** A page of a list, requested by page number. */
export const numberedPage = (items: JsonSchema): JsonSchema =>
  record({ items: list(items), page: number, pageSize: number, total: count });
/** Has this name in the API document, wherever it is used. */
export const named = <S extends JsonSchema>(title: string, schema: S): S => ({ title, ...schema });
