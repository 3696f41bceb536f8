/** The route table, the validation schemas and the API document say the same. */
import { describe, expect, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { AUDIENCES, type Audience, audienceOf } from "../../gateway/openapi/audiences.ts";
import { DOCUMENTED_ROUTES, inBraces, pathInDocument } from "../../gateway/openapi/documented-routes.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import type { Route } from "../../gateway/route.ts";
import { attemptHeaders } from "../../services/delivery/send/send-attempt-headers.rules.ts";
import { ERROR_CODES, type ErrorCode } from "../../shared/contract/error-codes.ts";
import { EVENT_TYPES } from "../../shared/contract/events.ts";
import { compileCheck } from "../../shared/input/validation.ts";
import { expectDocumented, expectDocumentedEvent } from "../support/http/documented.ts";

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<
    string,
    { description: string; content: Record<string, { schema: Json; example?: unknown; examples?: Json }> }
  >;
  security: Json[];
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<"schemas" | "examples" | "headers", Json> & Record<string, Json | undefined>;
};

const UBO_ID = "0190a5d3-1f0b-7d3c-9f5e-7b6c5d4e3f20";
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

const audiences = Object.keys(AUDIENCES) as Audience[];
const documents = Object.fromEntries(
  audiences.map((audience) => [audience, openApiDocument(audience, "https://onboarding.example")]),
) as unknown as Record<Audience, Document>;
const { webhooks } = documents.partner;
const shape = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, "{}");
const operationsFor = (audience: Audience) =>
  Object.entries(documents[audience].paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${shape(path)}`,
      path,
      operation,
    })),
  );
const operations = audiences.flatMap(operationsFor);
const operationOf = (route: Route): Operation => {
  const name = `${route.method} ${shape(route.path)}`;
  const found = operationsFor(audienceOf(route)).find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found.operation;
};

const routes = DOCUMENTED_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

/** With what its references lead to in their place; what is said beside a reference stays. */
function resolved(value: unknown, { components }: Document): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, { components } as Document));
  if (value === null || typeof value !== "object") return value;
  const { $ref, title: _, ...rest } = value as Json & { $ref?: string };
  const named = $ref ? (components.schemas[$ref.split("/").at(-1) ?? ""] as Json) : {};
  return Object.fromEntries(
    Object.entries({ ...named, ...rest }).map(([key, one]) => [
      key,
      resolved(one, { components } as Document),
    ]),
  );
}

describe.each(audiences)("the document of the %s", (audience) => {
  const document = documents[audience];
  const operations = operationsFor(audience);

  test("is valid OpenAPI 3.1, and every reference in it leads somewhere", async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as never);
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    for (const [, kind = "", name = ""] of JSON.stringify(document).matchAll(
      /"\$ref":"#\/components\/(\w+)\/([\w.]+)"/g,
    ))
      expect(Object.keys(document.components[kind] ?? {})).toContain(name);
  });

  test("has every route of its readers, and nothing else", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      DOCUMENTED_ROUTES.filter((route) => audienceOf(route) === audience)
        .map(({ method, path }) => `${method} ${shape(path)}`)
        .sort(),
    );
  });

  test("names every object: there is none without a type of its own", () => {
    const anonymous = (value: unknown, place: string): string[] => {
      if (value === null || typeof value !== "object") return [];
      const inside = Object.entries(value).flatMap(([key, one]) => anonymous(one, `${place}/${key}`));
      const isNamed = /^\/components\/schemas\/\w+$/.test(place);
      return "properties" in value && "type" in value && !isNamed ? [place, ...inside] : inside;
    };
    const { paths, webhooks: events, components } = document;
    expect(anonymous({ paths, events, components: { schemas: components.schemas } }, "")).toEqual([]);
  });

  test("has a type for each constant, without which generators make an untyped field of it", () => {
    const untyped = (value: unknown, place: string): string[] => {
      if (value === null || typeof value !== "object") return [];
      const inside = Object.entries(value).flatMap(([key, one]) => untyped(one, `${place}/${key}`));
      return "const" in value && !("type" in value) ? [place, ...inside] : inside;
    };
    expect(untyped(document, "")).toEqual([]);
  });

  test("gives no schema the name that Go's generator has for the answer of an operation", () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => /Response(JSON\w*)?$/.test(name))).toEqual([]);
  });
});

describe("a route", () => {
  test.each(routes)("%s: the request log has the path that the document has", (_, route) => {
    const path = inBraces(pathInDocument(route.path));
    expect(documents[audienceOf(route)].paths[path]?.[route.method.toLowerCase()]).toBeDefined();
  });

  test.each(routes)("%s: says who may call it", (_, route) => {
    const { security } = operationOf(route);
    if (route.auth === "none") expect(security).toEqual([]);
    else if (route.auth === "partner") expect(security).toEqual([{ partnerToken: [route.scope] }]);
    else expect(security).toEqual([{ session: [] }]);
  });

  test.each(routes)("%s: shows an example of each of its errors, which is such an error", (_, route) => {
    const { examples } = documents[audienceOf(route)].components;
    for (const [status, response] of Object.entries(operationOf(route).responses)) {
      if (Number(status) < 400) continue;
      const shown = Object.keys(response.content["application/json"]?.examples ?? {});
      expect(shown.join(", ")).toBe(response.description);
      for (const code of shown)
        expectDocumented(route.method, route.path.replaceAll(/:\w+/g, "x"), {
          status: Number(status),
          body: (examples[code] as { value: unknown }).value,
        });
    }
  });

  test.each(routes)("%s: has a summary and the shape of its answer", (_, route) => {
    expect(route.doc.summary).toMatch(/^[A-Z].{3,}[^.]$/);
    expect(Object.keys(route.doc.value ?? {})).not.toEqual([]);
    const { schema } = operationOf(route).responses[200]?.content["application/json"] ?? {};
    expect(schema).toBeDefined();
    const document = documents[audienceOf(route)];
    const shown = resolved(schema, document);
    const value = resolved(route.doc.value, document);
    if (route.envelope === "plain") expect(shown).toEqual(value);
    else
      expect(shown).toMatchObject({
        required: expect.arrayContaining(["isSuccess", "value"]),
        properties: { value },
      });
  });

  test.each([
    ["POST /api/partner/v1/business-profiles", 200, "Idempotent-Replayed"],
    ["POST /api/partner/v1/business-profiles", 409, "Retry-After"],
    ["POST /api/partner/v1/business-profiles/{}/documents/upload-link", 200, "Deprecation"],
    ["GET /api/partner/v1/business-profiles", 401, "RateLimit-Remaining"],
    ["GET /api/partner/v1/business-profiles", 401, "WWW-Authenticate"],
    ["GET /api/partner/v1/business-profiles", 403, "WWW-Authenticate"],
    ["DELETE /api/customer/v1/session", 401, "RateLimit-Remaining"],
    ["POST /api/customer/v1/session", 200, "Set-Cookie"],
  ])("%s: its %i has the header %s", (name, status, header) => {
    const responses = operations.find((one) => one.name === name)?.operation.responses;
    expect(Object.keys((responses?.[status] as { headers?: Json } | undefined)?.headers ?? {})).toContain(
      header,
    );
  });

  test.each([
    ["profile.simulate", {}, false],
    ["profile.simulate", { outcome: "Approved" }, true],
    ["profile.simulate", { documents: [] }, false],
    ["profile.simulate", { documents: [{ documentCategory: "TaxCertificate", status: "Confirmed" }] }, true],
    ["document.createUploadLink", { documentCategory: "Selfie", contentType: "image/png" }, false],
    [
      "document.createUploadLink",
      { documentCategory: "Selfie", contentType: "image/png", uboId: UBO_ID },
      true,
    ],
    ["document.createUploadLink", { documentCategory: "TaxCertificate", contentType: "image/png" }, true],
    ["auth-token.login", { email: "a@b.example", password: "" }, false],
  ])("%s: its schema says whether %j is enough: %s", (action, body, isEnough) => {
    const [, route] = routes.find(([, one]) => one.action === action) ?? [];
    if (!route) throw new Error(`${action} has no route`);
    const { schema } = operationOf(route).requestBody?.content["application/json"] ?? {};
    expect(ajv.validate(resolved(schema, documents[audienceOf(route)]) as Json, body)).toBe(isEnough);
  });

  test.each([
    ["GET /api/partner/v1/business-profiles", "createdFrom"],
    ["GET /api/customer/v1/partner-profile/webhooks/statistics", "from"],
  ])("%s: its %s has the form of a time or a day", (name, parameter) => {
    const { parameters = [] } = operations.find((one) => one.name === name)?.operation ?? {};
    const pattern = new RegExp(String(parameters.find((one) => one.name === parameter)?.schema.pattern));
    for (const good of ["2026-01-02", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04+01:00"])
      expect(good).toMatch(pattern);
    for (const bad of ["yesterday", "2026-1-2", "1"]) expect(bad).not.toMatch(pattern);
  });

  test("an answer with a header that is not documented for its status is found", () => {
    const [path, status] = ["/api/partner/v1/business-profiles", 404];
    const headers = new Headers({ "Svc-Request-Id": "x", "Svc-Other": "y" });
    expect(() => expectDocumented("GET", path, { status, body: {}, headers })).toThrow("no status 404");
    expect(() => expectDocumented("GET", path, { status: 500, body: {}, headers })).toThrow(
      "no header svc-other",
    );
  });

  test.each(routes.filter(([, route]) => route.body !== "none"))(
    "%s: has the schema of its body",
    (_, route) => {
      const type = route.body === "json" ? "application/json" : "application/x-www-form-urlencoded";
      const schema = resolved(
        operationOf(route).requestBody?.content[type]?.schema,
        documents[audienceOf(route)],
      ) as { properties?: Json };
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
});

describe("webhooks", () => {
  test("every event of the catalogue is in the document, and nothing else", () => {
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES.map(({ name }) => name));
  });

  test("an event of any type is found by its eventType, which maps to the schema of just this type", () => {
    const { schemas } = documents.partner.components;
    const { oneOf, discriminator } = schemas.WebhookEvent as Json & {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe("eventType");
    expect(Object.keys(discriminator.mapping)).toEqual(EVENT_TYPES.map(({ name }) => name));
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
    for (const [name, $ref] of Object.entries(discriminator.mapping)) {
      const schema = schemas[$ref.split("/").at(-1) ?? ""] as { properties: Json; required: string[] };
      expect(schema.required).toContain("eventType");
      expect(schema.properties).toMatchObject({
        eventType: { type: "string", const: name },
        test: { type: "boolean" },
      });
    }
  });

  test.each(Object.entries(webhooks))("%s: its example is such an event", (_, { post }) => {
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
    const documented = webhooks["webhook.test"]?.post.parameters?.map(({ name }) => name);
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
