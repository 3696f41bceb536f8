/** The route table, the validation schemas and the API document say the same. */
import { describe, expect, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { DOCUMENTED_ROUTES } from "../../gateway/openapi/documented-routes.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import type { Route } from "../../gateway/route.ts";
import { attemptHeaders } from "../../services/delivery/send/send-attempt-headers.rules.ts";
import { ERROR_CODES, type ErrorCode } from "../../shared/error-codes.ts";
import { EVENT_TYPES } from "../../shared/events/events.ts";
import { compileCheck } from "../../shared/validation.ts";
import { expectDocumented, expectDocumentedEvent } from "../support/http/documented.ts";

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<
    string,
    { description: string; content: Record<string, { schema: Json; example?: unknown }> }
  >;
  security: Json[];
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Json };
};

const document = openApiDocument(DOCUMENTED_ROUTES, "https://onboarding.example") as unknown as Document;
const shape = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, "{}");
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${shape(path)}`,
    path,
    operation,
  })),
);
const operationOf = (route: Route): Operation => {
  const name = `${route.method} ${shape(route.path)}`;
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found.operation;
};

const routes = DOCUMENTED_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

describe("the document", () => {
  test("is valid OpenAPI 3.1, and every reference in it leads somewhere", async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as never);
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    for (const [, name = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(Object.keys(document.components.schemas)).toContain(name);
  });

  test("has every route, and nothing that is no route", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      DOCUMENTED_ROUTES.map(({ method, path }) => `${method} ${shape(path)}`).sort(),
    );
  });

  test("has no two paths that are the same but for the names of their parameters", () => {
    const shapes = Object.keys(document.paths).map(shape);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test("names each operation once", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(operations.map(({ name, path, operation }) => [name, path, operation] as const))(
    "%s: declares each parameter of its path",
    (_, path, operation) => {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      for (const parameter of inPath) expect(parameter.required).toBe(true);
    },
  );

  test.each(routes)("%s: says who may call it", (_, route) => {
    const { security } = operationOf(route);
    if (route.auth === "none") expect(security).toEqual([]);
    else if (route.auth === "partner") expect(security).toEqual([{ partnerToken: [route.scope] }]);
    else expect(security).toEqual([{ session: [] }]);
  });
});

describe("a route", () => {
  test.each(routes)("%s: has a summary and the shape of its answer", (_, route) => {
    expect(route.doc.summary).toMatch(/^[A-Z].{3,}[^.]$/);
    expect(Object.keys(route.doc.value ?? {})).not.toEqual([]);
    const { schema } = operationOf(route).responses[200]?.content["application/json"] ?? {};
    expect(schema).toBeDefined();
    if (route.envelope === "plain") expect(schema).toEqual(route.doc.value);
    else
      expect(schema).toMatchObject({
        required: expect.arrayContaining(["isSuccess"]),
        properties: { value: route.doc.value },
      });
  });

  test.each(routes.filter(([, route]) => route.body !== "none"))(
    "%s: has the schema of its body",
    (_, route) => {
      const type = route.body === "json" ? "application/json" : "application/x-www-form-urlencoded";
      const schema = operationOf(route).requestBody?.content[type]?.schema as { properties?: Json };
      expect(Object.keys(schema.properties ?? {}).length).toBeGreaterThan(0);
    },
  );

  test.each(routes.filter(([, route]) => route.doc.body && route.doc.bodyExample))(
    "%s: its example passes its own validation",
    (_, route) => {
      expect(compileCheck(route.doc.body ?? {}, "x")(route.doc.bodyExample)).toEqual([]);
    },
  );

  test.each(routes.filter(([, route]) => route.doc.valueExample))(
    "%s: its answer's example is such an answer",
    (_, route) => {
      const { example } = operationOf(route).responses[200]?.content["application/json"] ?? {};
      expectDocumented(route.method, route.path.replaceAll(/:\w+/g, "x"), { status: 200, body: example });
    },
  );

  test.each(routes)("%s: has its errors by status, none of them unknown", (_, route) => {
    const { responses } = operationOf(route);
    const { errors = [], missing = [] } = route.doc;
    expect([...errors, ...missing].filter((code) => !(code in ERROR_CODES))).toEqual([]);
    for (const code of [...errors, ...missing])
      expect(JSON.stringify(Object.values(responses).map(({ description }) => description))).toContain(code);
    const statuses = Object.keys(responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([200, 500, 503]));
    if (route.auth !== "none") expect(statuses).toContain(401);
    if (route.auth === "partner") expect(statuses).toContain(403);
    if (route.body !== "none") expect(statuses).toEqual(expect.arrayContaining([413, 415]));
    if (route.limit !== "none") expect(statuses).toContain(429);
  });

  test.each(
    routes.filter(([, route]) => route.body === "json" || route.path.includes(":") || route.doc.query),
  )("%s: takes something from its caller, so it says what can be wrong with it", (_, route) => {
    expect([...(route.doc.errors ?? []), ...Object.keys(route.doc.failures ?? {})]).not.toEqual([]);
  });
});

describe("webhooks", () => {
  test("every event of the catalogue is in the document, and nothing else", () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES.map(({ name }) => name));
  });

  test.each(Object.entries(document.webhooks))("%s: its example is such an event", (_, { post }) => {
    const { example } = post.requestBody?.content["application/json"] ?? {};
    expectDocumentedEvent(example as Json);
  });

  test("the headers are those that are sent", () => {
    const sent = attemptHeaders(
      {
        secrets: [`whsec_${Buffer.alloc(32).toString("base64")}`],
        eventType: "webhook.test",
        eventVersion: 1,
        deliveryId: "d",
        attemptNo: 1,
        isReplay: true,
      },
      { eventId: "e", timestampSeconds: 1, body: Buffer.from("{}") },
    );
    const documented = document.webhooks["webhook.test"]?.post.parameters?.map(({ name }) => name);
    expect(documented?.toSorted()).toEqual(
      Object.keys(sent)
        .filter((name) => /^(Svc|webhook)-/.test(name))
        .toSorted(),
    );
  });
});

describe("error codes", () => {
  /** Given for any address, or only on the operator's command line. */
  const elsewhere: ErrorCode[] = [
    "Route.NotFound",
    "Request.MethodNotAllowed",
    "Route.Withdrawn",
    "User.NotFound",
    "User.Exists",
    "Partner.NotFound",
    "OnboardingConfig.Conflict",
  ];

  test("every code that a caller can meet is in the document", () => {
    const text = operations
      .flatMap(({ operation }) => Object.values(operation.responses))
      .map(({ description }) => description)
      .join(" ");
    const documented = new Set(text.split(/[\s,;]+/));
    const missing = Object.keys(ERROR_CODES).filter(
      (code) => !documented.has(code) && !elsewhere.includes(code as ErrorCode),
    );
    expect(missing).toEqual([]);
  });
});
