/** The OpenAPI 3.1 document of an audience, made from the documented routes and the validation schemas. */
import {
  always,
  type JsonSchema,
  nothing,
  record,
  withOptional,
} from "../../shared/contract/answer-schema.ts";
import type { ErrorCode } from "../../shared/contract/error-codes.ts";
import { sessionCookieName } from "../../shared/identity/session-cookie.ts";
import { VERSION } from "../../shared/version.ts";
import { successBody } from "../http/envelope.ts";
import { isChange } from "../route.ts";
import { AUDIENCES, type Audience, audienceOf } from "./audiences.ts";
import { TAG_WORDS } from "./docs/tag-words.ts";
import { errorExample, errorSchema, warnings } from "./documented-errors.ts";
import { documentedFailures, failureCodes } from "./documented-failures.ts";
import { answerHeaders, headerComponents, requestHeaders } from "./documented-headers.ts";
import { DOCUMENTED_ROUTES, type DocumentedRoute, inBraces, pathInDocument } from "./documented-routes.ts";
import { documentedWebhooks } from "./documented-webhooks.ts";
import { objectSchema } from "./json-schema.ts";
import { camelCase, type NamedSchemas, namedSchemas, pascalCase } from "./named-schemas.rules.ts";

export function openApiDocument(audience: Audience, baseUrl: string): JsonSchema {
  const { title, description, hasWebhooks } = AUDIENCES[audience];
  const routes = DOCUMENTED_ROUTES.filter((route) => audienceOf(route) === audience);
  const schemas = namedSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of routes) {
    const route = { ...row, path: pathInDocument(row.path) };
    const path = inBraces(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  const webhooks = hasWebhooks ? { webhooks: documentedWebhooks(schemas) } : {};
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: VERSION,
      description,
      contact: { name: "Documentation", url: `${baseUrl}/docs` },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, description: TAG_WORDS[name] })),
    paths,
    ...webhooks,
    components: {
      securitySchemes: securitySchemes(audience, baseUrl),
      headers: headerComponents(paths),
      ...errorComponents(routes, schemas, baseUrl),
      schemas: schemas.all(),
    },
  };
}

const securitySchemes = (audience: Audience, baseUrl: string): JsonSchema =>
  audience === "dashboard"
    ? { session: { type: "apiKey", in: "cookie", name: sessionCookieName({ env: "local", baseUrl }) } }
    : {
        partnerToken: {
          type: "oauth2",
          description: "The client authenticates with a signed assertion (private_key_jwt).",
          flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth2/token`, scopes: SCOPES } },
        },
      };

const SCOPES = { "partner.read": "Every GET", "partner.write": "All other methods" };

/** The schemas of the errors go to the other schemas. */
function errorComponents(
  routes: readonly DocumentedRoute[],
  schemas: NamedSchemas,
  baseUrl: string,
): JsonSchema {
  const examples: Record<string, JsonSchema> = {};
  for (const [envelope, sameEnvelope] of Map.groupBy(routes, (route) => route.envelope)) {
    const codes = [...new Set(sameEnvelope.flatMap((route) => [...failureCodes(route).values()].flat()))];
    schemas.place("", errorSchema(envelope, codes as ErrorCode[]));
    for (const code of codes) examples[code] = errorExample(envelope, code, baseUrl);
  }
  return { examples };
}

function operation(route: DocumentedRoute, schemas: NamedSchemas): JsonSchema {
  const { doc, tag, action } = route;
  return {
    operationId: camelCase(action),
    summary: doc.summary,
    description: doc.description ?? `${doc.summary}.`,
    tags: [tag],
    ...security(route),
    parameters: parameters(route),
    ...requestBody(route, schemas),
    responses: { ...success(route, schemas), ...documentedFailures(route) },
  };
}

function security(route: DocumentedRoute): JsonSchema {
  if (route.auth === "none") return { security: [] };
  if (route.auth === "partner") return { security: [{ partnerToken: [route.scope] }] };
  return { security: [{ session: [] }] };
}

function parameters(route: DocumentedRoute): JsonSchema[] {
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
  return [...inPath, ...inQuery, ...requestHeaders(route)];
}

function requestBody(route: DocumentedRoute, schemas: NamedSchemas): JsonSchema {
  if (route.body === "none") return {};
  const type = route.body === "json" ? "application/json" : "application/x-www-form-urlencoded";
  const fields = route.doc.body ? objectSchema(route.doc.body) : { type: "object" };
  const schema = { ...fields, ...route.doc.bodyCondition };
  return {
    requestBody: {
      required: !route.doc.isBodyOptional,
      content: {
        [type]: {
          schema: schemas.place(`${pascalCase(route.action)}Request`, schema),
          ...(route.doc.bodyExample ? { example: route.doc.bodyExample } : {}),
        },
      },
    },
  };
}

function envelopeOf(route: DocumentedRoute, value: JsonSchema): JsonSchema {
  const isSuccess = always(true);
  if (route.envelope === "dashboard") return record({ isSuccess, value, error: nothing });
  return withOptional(record({ isSuccess, value }), isChange(route) ? { warnings } : {});
}

function success(route: DocumentedRoute, schemas: NamedSchemas): JsonSchema {
  const name = pascalCase(route.action);
  const value = { ...(route.doc.value ?? {}) };
  const schema =
    route.envelope === "plain"
      ? schemas.place(`${name}Answer`, value)
      : schemas.place(`${name}Answer`, envelopeOf(route, value));
  const example = route.doc.valueExample;
  return {
    200: {
      description: "Success",
      ...answerHeaders(route, 200),
      content: {
        "application/json": {
          schema,
          ...(example === undefined ? {} : { example: successBody(route.envelope, example) }),
        },
      },
    },
    ...(route.cached
      ? { 304: { description: "Your copy is up to date", ...answerHeaders(route, 304) } }
      : {}),
  };
}
