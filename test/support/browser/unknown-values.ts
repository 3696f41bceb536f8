/** Answers as a gateway of a newer release may give them: every enumerated field has a value that the page does not know. */
import type { Page } from "playwright-core";
import { DOCUMENTED_ROUTES } from "../../../gateway/openapi/documented-routes.ts";
import type { JsonSchema } from "../../../shared/contract/answer-schema.ts";

const UNKNOWN = "SomethingNew";
/** Fields whose list of values the document leaves open. */
const OPEN_LISTS = new Set(["status", "reason", "documentCategory", "contentType", "check"]);
/** Decides which pages there are; another role has others. */
const SESSION = "/api/customer/v1/session";

const ROUTES = DOCUMENTED_ROUTES.filter(({ method, path }) => method === "GET" && path !== SESSION).map(
  ({ path, doc }) => ({
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`),
    isPlain: !path.includes(":"),
    schema: doc.value ?? {},
  }),
);

type Schema = { enum?: unknown; anyOf?: Schema[]; items?: Schema; properties?: Record<string, Schema> };

function withUnknown(schema: Schema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema.anyOf) return schema.anyOf.reduce<unknown>((kept, each) => withUnknown(each, kept), value);
  if (schema.enum) return typeof value === "string" ? UNKNOWN : value;
  if (schema.items && Array.isArray(value)) return value.map((each) => withUnknown(schema.items ?? {}, each));
  if (!schema.properties || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      OPEN_LISTS.has(name) && typeof each === "string"
        ? UNKNOWN
        : withUnknown(schema.properties?.[name] ?? {}, each),
    ]),
  );
}

const schemaOf = (path: string): JsonSchema | undefined => {
  const fitting = ROUTES.filter(({ pattern }) => pattern.test(path));
  return (fitting.find(({ isPlain }) => isPlain) ?? fitting[0])?.schema;
};

export async function answerUnknownValues(page: Page): Promise<() => boolean> {
  let isChanged = false;
  await page.route("**/api/**", async (route) => {
    const schema = route.request().method() === "GET" && schemaOf(new URL(route.request().url()).pathname);
    if (!schema) return route.continue();
    const response = await route.fetch();
    const body = await response.json();
    const value = withUnknown(schema, body.value);
    isChanged ||= JSON.stringify(value) !== JSON.stringify(body.value);
    await route.fulfill({ response, json: { ...body, value } });
  });
  return () => isChanged;
}
