/** The OpenAPI 3.1 document, made from the documented routes and the validation schemas. */
import type { JsonSchema } from "../../shared/answer-schema.ts";
import { successBody } from "../http/envelope.ts";
import { documentedFailures } from "./documented-failures.ts";
import type { DocumentedRoute } from "./documented-routes.ts";
import { documentedWebhooks } from "./documented-webhooks.ts";
import { objectSchema } from "./json-schema.ts";

export function openApiDocument(routes: readonly DocumentedRoute[], baseUrl: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const pathOf = onePathPerShape();
  for (const row of routes) {
    const route = { ...row, path: pathOf(row.path) };
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Partner Business Onboarding",
      version: "1.0.0",
      description:
        "Create business customers with their people in one call, upload documents, follow the verification, receive signed webhooks.",
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: documentedWebhooks(),
    components: {
      securitySchemes,
      schemas: {
        PartnerError: errorSchema("message"),
        DashboardError: errorSchema("description"),
        OAuthError: {
          type: "object",
          required: ["error", "error_description"],
          properties: { error: { type: "string" }, error_description: { type: "string" } },
        },
      },
    },
  };
}

/** To OpenAPI, paths that differ only in parameter names are one; the names of the first are used. */
function onePathPerShape(): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const shape = path.replaceAll(/:\w+/g, ":");
    if (!known.has(shape)) known.set(shape, path);
    return known.get(shape) ?? path;
  };
}

const securitySchemes = {
  partnerToken: { type: "http", scheme: "bearer", bearerFormat: "at+jwt" },
  session: { type: "apiKey", in: "cookie", name: "__Host-pbo_session" },
};

function operation(route: DocumentedRoute): JsonSchema {
  const { doc } = route;
  return {
    operationId: route.action,
    summary: doc.summary,
    ...(doc.description ? { description: doc.description } : {}),
    tags: [route.tag],
    ...security(route),
    ...parameters(route),
    ...requestBody(route),
    responses: { ...success(route), ...documentedFailures(route) },
  };
}

function security(route: DocumentedRoute): JsonSchema {
  if (route.auth === "none") return { security: [] };
  if (route.auth === "partner") return { security: [{ partnerToken: [route.scope] }] };
  return { security: [{ session: [] }] };
}

function parameters(route: DocumentedRoute): JsonSchema {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = route.doc.query ? objectSchema(route.doc.query) : { properties: {}, required: [] };
  const required = (query.required ?? []) as string[];
  const inQuery = Object.entries(query.properties as JsonSchema).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
  const all = [...inPath, ...inQuery];
  return all.length > 0 ? { parameters: all } : {};
}

function requestBody(route: DocumentedRoute): JsonSchema {
  if (route.body === "none") return {};
  const type = route.body === "json" ? "application/json" : "application/x-www-form-urlencoded";
  return {
    requestBody: {
      required: true,
      content: {
        [type]: {
          schema: route.doc.body ? objectSchema(route.doc.body) : { type: "object" },
          ...(route.doc.bodyExample ? { example: route.doc.bodyExample } : {}),
        },
      },
    },
  };
}

function success(route: DocumentedRoute): JsonSchema {
  const value = route.doc.value ?? {};
  const schema =
    route.envelope === "plain"
      ? value
      : {
          type: "object",
          required: ["isSuccess"],
          properties: {
            isSuccess: { const: true },
            value,
            ...(route.envelope === "dashboard" ? { error: { type: "null" } } : {}),
          },
        };
  const example = route.doc.valueExample;
  return {
    200: {
      description: "Success",
      content: {
        "application/json": {
          schema,
          ...(example === undefined ? {} : { example: successBody(route.envelope, example) }),
        },
      },
    },
  };
}

function errorSchema(text: "message" | "description"): JsonSchema {
  const detail = {
    type: "object",
    properties: { field: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
  };
  return {
    type: "object",
    required: ["isSuccess", "error"],
    properties: {
      isSuccess: { const: false },
      ...(text === "description" ? { value: { type: "null" } } : {}),
      error: {
        type: "object",
        required: ["code", text, "requestId", "details"],
        properties: {
          code: { type: "string" },
          [text]: { type: "string" },
          requestId: { type: "string" },
          details: { type: "array", items: detail },
        },
      },
    },
  };
}
