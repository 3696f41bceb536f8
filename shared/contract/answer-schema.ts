/** Building blocks of JSON Schema for the answers. The API documents show the schemas; programs use their types. */
export type JsonSchema = Record<string, unknown>;

declare const shown: unique symbol;
/** A schema with the type of its values; `shown` never exists at run time. */
export type AnswerSchema<T> = JsonSchema & { readonly [shown]?: T };
/** The type of an answer: `Answer<typeof sessionValue>`. */
export type Answer<S extends JsonSchema> = S extends { readonly [shown]?: infer T } ? T : unknown;
/** The type of an object with these properties. */
export type Fields<P extends Record<string, JsonSchema>> = { [K in keyof P]: Answer<P[K]> };

export const text: AnswerSchema<string> = { type: "string" };
export const id: AnswerSchema<string> = { type: "string", format: "uuid" };
export const time: AnswerSchema<string> = { type: "string", format: "date-time" };
export const day: AnswerSchema<string> = { type: "string", format: "date" };
export const uri: AnswerSchema<string> = { type: "string", format: "uri" };
export const country: AnswerSchema<string> = { type: "string", pattern: "^[A-Z]{3}$" };
export const number: AnswerSchema<number> = { type: "integer" };
export const count: AnswerSchema<number> = { type: "integer", minimum: 0 };
export const flag: AnswerSchema<boolean> = { type: "boolean" };
export const nothing: AnswerSchema<null> = { type: "null" };
/** An object whose properties the API document leaves open. */
export const anyObject: AnswerSchema<Record<string, unknown>> = { type: "object" };
/** Names the type next to the const: code generators leave a const alone untyped. */
export const always = <const T extends string | number | boolean>(value: T): AnswerSchema<T> => ({
  type: typeof value === "number" ? "integer" : typeof value,
  const: value,
});
export const oneOf = <const T extends string>(values: readonly T[]): AnswerSchema<T> => ({
  type: "string",
  enum: [...values],
});
/** Values that may grow: a closed list for our code, any text in the API document. */
export const openList = <T extends string>(): AnswerSchema<T> => ({ type: "string" });
export const orNull = <T>(schema: AnswerSchema<T>): AnswerSchema<T | null> => ({
  anyOf: [schema, { type: "null" }],
});
export const list = <T>(items: AnswerSchema<T>): AnswerSchema<readonly T[]> => ({ type: "array", items });
/** Every property is required. */
export const record = <P extends Record<string, JsonSchema>>(properties: P): AnswerSchema<Fields<P>> => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
/** Adds properties that may be absent. */
export const withOptional = <T, P extends Record<string, JsonSchema>>(
  schema: AnswerSchema<T>,
  optional: P,
): AnswerSchema<T & Partial<Fields<P>>> => {
  const { required, properties }: JsonSchema = schema;
  return { type: "object", required, properties: { ...(properties as JsonSchema), ...optional } };
};
export const described = <T>(schema: AnswerSchema<T>, description: string): AnswerSchema<T> => ({
  ...schema,
  description,
});
/** A page of a list, requested by number or by cursor. */
export const pageOf = <T>(items: AnswerSchema<T>) =>
  record({
    items: list(items),
    page: orNull(number),
    pageSize: number,
    total: orNull(described(number, "null when a cursor is used.")),
    nextCursor: orNull(described(text, "null on the last page.")),
  });
/** Gives a schema its name in the API document. */
export const named = <S extends JsonSchema>(title: string, schema: S): S => ({ title, ...schema });
