import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Route } from "../../gateway/route.ts";
import { WITHDRAWN_ROUTES } from "../../gateway/routes/withdrawn.ts";
import { ROUTES } from "../../gateway/routes.ts";
import { randomId } from "../../shared/ids.ts";
import { type GatewayStage, startGatewayStage } from "../support/gateway-stage.ts";
import { sendRaw } from "../support/raw-http.ts";

let stage: GatewayStage;
/** Headers that let a caller in, by the auth kind of a route. */
let credentials: Record<Route["auth"], Record<string, string>>;

beforeAll(async () => {
  stage = await startGatewayStage();
  const partner = await stage.partner();
  const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
  credentials = {
    partner: { Authorization: `Bearer ${await stage.token(partner)}` },
    user: { Cookie: cookie },
    session: { Cookie: cookie },
    analyst: { Cookie: await stage.cookie(await stage.analyst()) },
    none: {},
  };
});
afterAll(() => stage.stop());
beforeEach(() => stage.reset());

const filled = (path: string) => path.replaceAll(/:\w+/g, () => randomId());
const bodyOf = (route: Route): Pick<RequestInit, "body" | "headers"> =>
  route.body === "json"
    ? { body: "{}", headers: { "Content-Type": "application/json" } }
    : route.body === "form"
      ? { body: "a=b", headers: { "Content-Type": "application/x-www-form-urlencoded" } }
      : {};
const ask = (route: Route, headers: Record<string, string>) => {
  const { body, headers: own } = bodyOf(route);
  return stage.request(filled(route.path), {
    method: route.method,
    headers: { ...(own as Record<string, string>), ...headers },
    ...(body ? { body } : {}),
  });
};

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};
function expectSecurityHeaders(headers: Headers) {
  const isPublic = headers.get("cache-control")?.startsWith("public,") ?? false;
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (name !== "cache-control" || !isPublic) expect([name, headers.get(name)]).toEqual([name, value]);
  expect(headers.get("svc-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,64}$/);
  expect(headers.get("x-powered-by")).toBeNull();
  expect(headers.get("access-control-allow-origin")).toBeNull();
}

const rows = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);
const scripted = rows.filter(([, route]) => !route.action.startsWith("auth-token."));

describe("every route of the table", () => {
  test.each(scripted)(
    "%s: reaches its action with path, query, body and caller, or says that it is not built",
    async (_, route) => {
      const answer = await ask(route, credentials[route.auth]);
      expectSecurityHeaders(answer.headers);
      if (!route.built) {
        expect(answer.status).toBe(501);
        expect(answer.body).toMatchObject({ isSuccess: false, error: { code: "Route.NotBuilt" } });
        expect(stage.calls).toEqual([]);
        return;
      }
      expect(answer).toMatchObject({
        status: 200,
        body: { isSuccess: true, value: { action: route.action } },
      });
      expect(stage.calls.map(({ action }) => action)).toEqual([route.action]);
      const [call] = stage.calls;
      expect(Object.keys(call?.params.params ?? {})).toEqual(
        [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name),
      );
      expect(call?.params.body).toEqual(route.body === "json" ? {} : undefined);
      expect(call?.meta.requestId).toBe(answer.headers.get("svc-request-id"));
      const kind = { partner: "partner", user: "user", session: "user", analyst: "analyst", none: undefined };
      expect(call?.meta.caller?.kind).toBe(kind[route.auth]);
    },
  );

  test.each(rows.filter(([, route]) => route.action.startsWith("auth-token.")))(
    "%s: reaches the auth-token service",
    async (_, route) => {
      const answer = await ask(route, credentials[route.auth]);
      expectSecurityHeaders(answer.headers);
      expect([400, 401, 404, 200]).toContain(answer.status);
      expect(answer.text).not.toMatch(/Route\.|Service\./);
    },
  );

  const guarded = rows.filter(([, route]) => route.auth !== "none");
  test.each(guarded)("%s without credentials: 401, and no action runs", async (_, route) => {
    const answer = await ask(route, {});
    expect(answer).toMatchObject({ status: 401, body: { error: { code: "Partner.NotAuthenticated" } } });
    expect(answer.headers.get("www-authenticate")).not.toBeNull();
    expect(stage.calls).toEqual([]);
  });

  test.each(guarded)(
    "%s with the credentials of another kind: refused, and no action runs",
    async (_, route) => {
      const other = route.auth === "partner" ? credentials.user : credentials.partner;
      expect(await ask(route, other)).toMatchObject({ status: 401 });
      const person = {
        partner: {},
        analyst: credentials.user,
        user: credentials.analyst,
        session: {},
        none: {},
      };
      expect([401, 403]).toContain((await ask(route, person[route.auth])).status);
      expect(stage.calls).toEqual([]);
    },
  );

  test("an action of the table that no route names cannot be reached from outside", async () => {
    for (const path of [
      "/profile/confirmEvents",
      "/api/profile/confirmEvents",
      "/~node/health",
      "/api/~node/services",
    ])
      for (const method of ["GET", "POST"])
        expect(await stage.request(path, { method, headers: credentials.partner })).toMatchObject({
          status: 404,
        });
    expect(stage.calls).toEqual([]);
  });
});

describe("an address that no route has", () => {
  test.each([
    ["/", "partner"],
    ["/nothing", "partner"],
    ["/api/partner/v1/nothing", "partner"],
    ["/api/partner/v2/business-profiles", "partner"],
    ["/api/customer/v1/partner-profile/nothing", "dashboard"],
    ["/api/compliance/v1/nothing", "dashboard"],
  ])("%s: 404 with security headers in the %s shape", async (path, shape) => {
    const answer = await stage.request(path);
    expectSecurityHeaders(answer.headers);
    expect(answer.status).toBe(404);
    const requestId = answer.headers.get("svc-request-id");
    const text = expect.any(String);
    expect(answer.body).toEqual(
      shape === "partner"
        ? { isSuccess: false, error: { code: "Route.NotFound", message: text, requestId, details: [] } }
        : {
            value: null,
            isSuccess: false,
            error: { code: "Route.NotFound", description: text, requestId, details: [] },
          },
    );
  });

  test("below /oauth2: 404 in the OAuth shape", async () => {
    const answer = await stage.request("/oauth2/nothing");
    expect(answer).toMatchObject({ status: 404, body: { error: "invalid_request" } });
    expect(Object.keys(answer.body)).toEqual(["error", "error_description"]);
  });

  const hostile = [
    "/api/%zz",
    "/api/compliance/v1/cases/%zz",
    "/api/partner/v1/business-profiles/%E0%A4%A",
    "/docs/%",
  ];
  test.each(hostile.flatMap((path) => ["GET", "DELETE", "PATCH", "HEAD"].map((method) => [method, path])))(
    "%s %s, an escape that cannot be read: 404 or 405, never a hang",
    async (method, path) => {
      const { status } = await sendRaw(
        stage.gateway.url,
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([404, 405, 401]).toContain(status);
    },
  );

  test.each([
    ["/docs/..%2f..%2fpackage.json"],
    ["/docs/%2e%2e%2fpackage.json"],
    ["/docs/constructor"],
    ["/docs/__proto__"],
  ])("%s: no file but those of the page", async (path) => {
    expect(await stage.request(path)).toMatchObject({ status: 404 });
  });
});

describe("another method than the route's", () => {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { path, method } of ROUTES) {
    const shape = path.replaceAll(/:\w+/g, ":id");
    methodsByPath.set(shape, (methodsByPath.get(shape) ?? new Set<string>()).add(method));
  }
  const cases = [...methodsByPath].flatMap(([path, methods]) =>
    ["GET", "POST", "PUT", "PATCH", "DELETE"]
      .filter((method) => !methods.has(method))
      .map((method) => [method, path, methods] as const),
  );

  test.each(cases)("%s %s: 405 with Allow, and no action runs", async (method, path, methods) => {
    const answer = await stage.request(filled(path), { method, headers: credentials.partner });
    expectSecurityHeaders(answer.headers);
    expect(answer).toMatchObject({ status: 405, body: { error: expect.anything() } });
    const allow = new Set(answer.headers.get("allow")?.split(", "));
    expect(allow).toEqual(new Set([...methods, ...(methods.has("GET") ? ["HEAD"] : [])]));
    expect(stage.calls).toEqual([]);
  });

  test.each(["TRACE", "PROPFIND", "QUERY"])("%s: 405", async (method) => {
    const request = `${method} /api/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(stage.gateway.url, request)).toMatchObject({ status: 405 });
  });

  test.each(rows)(
    "OPTIONS that asks for %s: 405 without CORS headers, and no action runs",
    async (_, route) => {
      const answer = await stage.request(filled(route.path), {
        method: "OPTIONS",
        headers: {
          ...credentials[route.auth],
          Origin: "https://stranger.example",
          "Access-Control-Request-Method": route.method,
          "Access-Control-Request-Headers": "authorization",
        },
      });
      expect(answer.status).toBe(405);
      expectSecurityHeaders(answer.headers);
      expect(answer.headers.get("access-control-allow-methods")).toBeNull();
      expect(stage.calls).toEqual([]);
    },
  );
});

describe("HEAD", () => {
  test("of a route with GET: the headers of GET without its body", async () => {
    const get = await stage.request("/api/ping");
    const head = await stage.request("/api/ping", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  });

  test("of nothing: 404 without a body", async () => {
    expect(await stage.request("/nothing", { method: "HEAD" })).toMatchObject({ status: 404, text: "" });
  });

  test("of a route without GET: 405 without a body", async () => {
    expect(await stage.request("/oauth2/token", { method: "HEAD" })).toMatchObject({ status: 405, text: "" });
  });
});

describe("a withdrawn operation", () => {
  const operations = WITHDRAWN_ROUTES.flatMap(({ methods, path, successor }) =>
    methods.map((method) => [method, path, successor] as const),
  );
  test.each(operations)(
    "%s %s: 410 that names its successor, with or without a token",
    async (method, path, successor) => {
      for (const headers of [{}, credentials.partner]) {
        const answer = await stage.request(filled(path), { method, headers });
        expectSecurityHeaders(answer.headers);
        expect(answer).toMatchObject({
          status: 410,
          body: { isSuccess: false, error: { code: "Route.Withdrawn" } },
        });
        expect(answer.text).toContain(successor);
      }
      expect(stage.calls).toEqual([]);
    },
  );

  test("all of the contract are there", () => {
    const profile = "/api/partner/v1/business-profiles/:customerId";
    const wanted = [
      "POST /api/auth/partner/v1/token",
      "GET /api/partner/v1/eco-partner/:customerId",
      ...["POST", "GET", "DELETE"].map((method) => `${method} ${profile}/ubos`),
      `POST ${profile}/associate-ubo`,
      `POST ${profile}/submit`,
      `GET ${profile}/onboarding-progress`,
      "GET /api/partner/v1/onboarding-requirements",
      "POST /api/partner/v1/documents/onboarding-upload-link",
      ...["POST", "GET", "PUT"].map((method) => `${method} /api/partner/v1/webhooks`),
      "POST /api/partner/v1/webhooks/rotate-secret",
      "GET /api/partner/v1/webhooks/deliveries",
      "POST /api/partner/v1/webhooks/replay",
    ];
    expect(operations.map(([method, path]) => `${method} ${path}`)).toEqual(expect.arrayContaining(wanted));
  });

  test("every named successor that is a route exists", () => {
    const known = new Set(
      ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`),
    );
    for (const { successor } of WITHDRAWN_ROUTES)
      for (const [named] of successor.matchAll(/(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}.-]+/g))
        expect(known).toContain(named);
  });
});

describe("pages of the gateway itself", () => {
  test("/healthz answers without asking anybody", async () => {
    const answer = await stage.request("/healthz");
    expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
    expectSecurityHeaders(answer.headers);
  });

  test("/readyz names every service", async () => {
    const answer = await stage.request("/readyz");
    expect(answer).toMatchObject({ status: 200, body: { ready: true } });
    expect(Object.keys(answer.body.checks as object).sort()).toEqual(
      ["auth-token", "delivery", "document", "nats", "profile", "webhook-registry"].sort(),
    );
  });

  test("/api/openapi.json is the document, /docs the page that shows it, from this origin only", async () => {
    expect(await stage.request("/api/openapi.json")).toMatchObject({
      status: 200,
      body: { openapi: "3.1.0" },
    });
    const page = await fetch(`${stage.gateway.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/);
    const html = await page.text();
    expect(html).not.toMatch(/https?:\/\//);
    for (const [, file = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      expect([file, (await fetch(stage.gateway.url + file)).status]).toEqual([file, 200]);
  });

  test("/metrics is not served here", async () => {
    expect(await stage.request("/metrics")).toMatchObject({ status: 404 });
  });
});
