/** Writes the types of the TypeScript client, which are made from the partner's API document and not committed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import type { JsonSchema } from "../../shared/contract/answer-schema.ts";
import { projectDir } from "../lib/paths.ts";

const CLIENT_TYPES_FILE = join(projectDir, "deploy/client/typescript/src/types.ts");

export function clientTypes(): string {
  const { components } = openApiDocument("partner", "https://onboarding.example") as {
    components: { schemas: Record<string, JsonSchema> };
  };
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
  );
  const head = "/** Generated from the API document by deploy/client/write-types.ts. */\n";
  return [head, ...types].join("\n");
}

function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) ?? "unknown";
  const either = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(either)) return either.map((one: JsonSchema) => typeOf(one)).join(" | ");
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  switch (schema.type) {
    case "object":
      return objectType(schema);
    case "array":
      return listOf(typeOf((schema.items ?? {}) as JsonSchema));
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

const listOf = (type: string): string => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`);

function objectType({ properties, required }: JsonSchema): string {
  const names = (required ?? []) as string[];
  const lines = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => {
    const about = schema.description ? `  /** ${String(schema.description).replaceAll("*/", "")} */\n` : "";
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${about}  ${key}${names.includes(name) ? "" : "?"}: ${typeOf(schema)};\n`;
  });
  return `{\n${lines.join("")}}`;
}

if (import.meta.main) writeFileSync(CLIENT_TYPES_FILE, clientTypes());
