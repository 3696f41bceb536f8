import { describe, expect, test } from "@jest/globals";
import type { ValidationSchema } from "fastest-validator";
import { objectSchema } from "../../../gateway/openapi/json-schema.ts";

const property = (rule: unknown) =>
  (objectSchema({ a: rule } as ValidationSchema) as { properties: { a: unknown } }).properties.a;

describe("objectSchema", () => {
  test.each<[string, unknown, object]>([
    [
      "a text with bounds",
      { type: "string", min: 2, max: 255 },
      { type: "string", minLength: 2, maxLength: 255 },
    ],
    ["a text of one length", { type: "string", length: 3 }, { type: "string", maxLength: 3, minLength: 3 }],
    [
      "a text with a pattern",
      { type: "string", pattern: /^[A-Z]{3}$/ },
      { type: "string", pattern: "^[A-Z]{3}$" },
    ],
    ["a pattern given as text", { type: "string", pattern: "^a$" }, { type: "string", pattern: "^a$" }],
    ["an email", { type: "email", max: 255 }, { type: "string", format: "email", maxLength: 255 }],
    ["a UUID", "uuid", { type: "string", format: "uuid" }],
    ["a URL", { type: "url" }, { type: "string", format: "uri" }],
    [
      "a whole number",
      { type: "number", integer: true, min: 1, max: 100 },
      { type: "integer", minimum: 1, maximum: 100 },
    ],
    ["a number in short form", "number", { type: "number" }],
    ["a flag", "boolean|optional", { type: "boolean" }],
    ["a vocabulary", { type: "enum", values: ["A", "B"] }, { type: "string", enum: ["A", "B"] }],
    ["anything", { type: "any" }, {}],
    ["a text that is not empty", { type: "string", empty: false }, { type: "string", minLength: 1 }],
    [
      "a day",
      { type: "string", pattern: /^\d{4}-\d{2}-\d{2}$/ },
      { type: "string", format: "date", pattern: String.raw`^\d{4}-\d{2}-\d{2}$` },
    ],
    [
      "a text of a form that the service checks",
      { type: "string", $$meta: { pattern: "^x$" } },
      { type: "string", pattern: "^x$" },
    ],
    ["one of two", ["string", "number"], { anyOf: [{ type: "string" }, { type: "number" }] }],
    [
      "a list",
      { type: "array", items: "string", min: 1, max: 3 },
      { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
    ],
    [
      "what may be null",
      { type: "string", nullable: true },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "description, example and deprecation",
      { type: "string", $$meta: { description: "d", example: "e", deprecated: true } },
      { type: "string", description: "d", examples: ["e"], deprecated: true },
    ],
  ])("%s", (_, rule, schema) => {
    expect(property(rule)).toEqual(schema);
  });

  test("an object inside: its own properties and required ones", () => {
    expect(property({ type: "object", props: { b: "string", c: "string|optional" } })).toEqual({
      type: "object",
      properties: { b: { type: "string" }, c: { type: "string" } },
      required: ["b"],
    });
  });

  test.each<[string, unknown, boolean]>([
    ["a plain rule", { type: "string" }, true],
    ["a short rule", "string", true],
    ["an optional rule", { type: "string", optional: true }, false],
    ["an optional short rule", "string|optional", false],
    ["a rule with a default", { type: "string", default: "x" }, false],
  ])("%s: required %p", (_, rule, required) => {
    expect((objectSchema({ a: rule } as ValidationSchema) as { required?: string[] }).required ?? []).toEqual(
      required ? ["a"] : [],
    );
  });

  test("directives of the validator are no properties", () => {
    expect(objectSchema({ $$strict: true, $$async: false, a: "string" } as ValidationSchema)).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
    });
  });
});
