/** fastest-validator rules as JSON Schema, for the OpenAPI document. */
import type { ValidationSchema } from "fastest-validator";
import type { JsonSchema } from "../../shared/contract/answer-schema.ts";

type Rule = Record<string, unknown> & { type?: string };

export function objectSchema(schema: ValidationSchema): JsonSchema {
  const fields = Object.entries(schema).filter(([name]) => !name.startsWith("$$"));
  const required = fields.filter(([, rule]) => isRequired(rule)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, rule]) => [name, ruleSchema(rule)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function ruleSchema(rule: unknown): JsonSchema {
  if (typeof rule === "string") return textual(rule);
  if (Array.isArray(rule)) return { anyOf: rule.map(ruleSchema) };
  const known = rule as Rule;
  const schema = { ...typed(known), ...described(known) };
  return known.nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}

function typed(rule: Rule): JsonSchema {
  switch (rule.type) {
    case "object":
      return objectSchema((rule.props ?? rule.properties ?? {}) as ValidationSchema);
    case "array":
      return {
        type: "array",
        ...(rule.items ? { items: ruleSchema(rule.items) } : {}),
        ...bound("minItems", rule.min),
        ...bound("maxItems", rule.max),
      };
    case "enum":
      return { type: "string", enum: rule.values };
    case "number":
      return {
        type: rule.integer ? "integer" : "number",
        ...bound("minimum", rule.min),
        ...bound("maximum", rule.max),
      };
    case "boolean":
      return { type: "boolean" };
    case "any":
      return {};
    default:
      return textual(rule.type ?? "string", rule);
  }
}

/** Days are checked against the calendar as well. */
const DAY = String.raw`^\d{4}-\d{2}-\d{2}$`;
const FORMATS: Record<string, string> = { email: "email", uuid: "uuid", url: "uri" };

function textual(type: string, rule: Rule = {}): JsonSchema {
  const [name = "string"] = type.split("|");
  if (name === "boolean" || name === "number") return { type: name };
  const pattern = rule.pattern ? new RegExp(rule.pattern as string | RegExp).source : undefined;
  const format = FORMATS[name] ?? (pattern === DAY ? "date" : undefined);
  return {
    type: "string",
    ...(format ? { format } : {}),
    ...bound("minLength", rule.min ?? rule.length ?? (rule.empty === false ? 1 : undefined)),
    ...bound("maxLength", rule.max ?? rule.length),
    ...(pattern ? { pattern } : {}),
    ...(Array.isArray(rule.enum) ? { enum: rule.enum } : {}),
  };
}

const bound = (name: string, value: unknown): JsonSchema =>
  typeof value === "number" ? { [name]: value } : {};

type Meta = {
  name?: string;
  description?: string;
  example?: unknown;
  deprecated?: boolean;
  /** Pattern of a text that the service checks by code. */
  pattern?: string;
  /** The service fills it in where it can, and asks for it where it cannot. */
  mayBeAbsent?: boolean;
};
const metaOf = (rule: Rule) => rule.$$meta as Meta | undefined;

function described(rule: Rule): JsonSchema {
  const meta = metaOf(rule);
  return {
    ...(meta?.name ? { title: meta.name } : {}),
    ...(meta?.description ? { description: meta.description } : {}),
    ...(meta?.example !== undefined ? { examples: [meta.example] } : {}),
    ...(meta?.pattern ? { pattern: meta.pattern } : {}),
    ...(meta?.deprecated ? { deprecated: true } : {}),
  };
}

const isRequired = (rule: unknown): boolean =>
  typeof rule === "string"
    ? !rule.includes("|optional") && !rule.endsWith("?")
    : !(rule as Rule).optional && (rule as Rule).default === undefined && !metaOf(rule as Rule)?.mayBeAbsent;
