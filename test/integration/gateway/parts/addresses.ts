/** Addresses, methods and documents that no action stands behind. */
import { beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { buildDocuments } from "../../../../deploy/build/documents.ts";
import { openApiDocument } from "../../../../gateway/openapi/openapi.ts";
import { ROUTES } from "../../../../gateway/routes.ts";
import { WITHDRAWN_ROUTES } from "../../../../gateway/withdrawn.ts";
import { SERVICE_NAMES } from "../../../../shared/config/config.ts";
import { randomId } from "../../../../shared/ids.ts";
import { sendRaw } from "../../../support/http/raw-http.ts";
import { expectSecurityHeaders } from "../../../support/http/security-headers.ts";
import type { GatewayStage } from "../../../support/stage/gateway-stage.ts";
import { sharedGatewayStage } from "../shared-stage.ts";

let stage: GatewayStage;
let partner: Record<string, string>;

beforeAll(async () => {
  await buildDocuments();
  stage = await sharedGatewayStage();
  partner = { Authorization: `Bearer ${await stage.token(await stage.partner())}` };
});
beforeEach(() => stage.reset());

const filled = (path: string) => path.replaceAll(/:\w+/g, () => randomId());

test("/ leads to the dashboard, with security headers", async () => {
  const answer = await fetch(`${stage.gateway.url}/`, { redirect: "manual" });
  expectSecurityHeaders(answer.headers);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/dashboard"]);
});

describe("an address that no route has", () => {
  test.each([
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
    const error = {
      code: "Route.NotFound",
      requestId,
      details: [],
      docsUrl: expect.stringMatching(/^http.*\/docs\/errors#Route\.NotFound$/),
    };
    expect(answer.body).toEqual(
      shape === "partner"
        ? { isSuccess: false, error: { ...error, message: text } }
        : {
            value: null,
            isSuccess: false,
            error: { ...error, description: text },
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
    ["http://elsewhere.example/api/ping?", 200],
    ["HTTPS://elsewhere.example:8443/api/ping", 200],
    ["http://elsewhere.example", 302],
    ["http://elsewhere.example/api/nothing", 404],
  ])("%s, a target with its host: served as its path, %i", async (target, status) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(stage.gateway.url, request)).toMatchObject({ status });
  });

  test.each([
    ["/docs/..%2f..%2fpackage.json"],
    ["/docs/%2e%2e%2fpackage.json"],
    ["/docs/constructor"],
    ["/docs/__proto__"],
  ])("%s: no file but those of the page", async (path) => {
    expect(await stage.request(path)).toMatchObject({ status: 404 });
  });
});

describe("a withdrawn operation", () => {
  const operations = WITHDRAWN_ROUTES.map(
    ({ method, path, successor = "" }) => [method, path, successor] as const,
  );
  test.each(operations)(
    "%s %s: 410 that names its successor, with or without a token",
    async (method, path, successor) => {
      for (const headers of [{}, partner]) {
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
    for (const { successor = "" } of WITHDRAWN_ROUTES)
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
      ["auth-token", "delivery", "document", "nats", "profile", "services", "webhook-registry"].sort(),
    );
  });

  test("/readyz, asked by many strangers at once: asks each service once for all of them", async () => {
    const calls = jest.spyOn(stage.gateway.broker, "call");
    try {
      await Promise.all(Array.from({ length: 50 }, () => stage.request("/readyz")));
      const asked = calls.mock.calls.map(([action]) => action).filter((action) => action.endsWith(".ready"));
      expect(asked.length).toBeLessThanOrEqual(SERVICE_NAMES.length);
    } finally {
      calls.mockRestore();
    }
  });

  test("/api/openapi.json has what partners call, /api/openapi-dashboard.json what people who sign in do", async () => {
    const paths = async (file: string) => Object.keys((await stage.request(file)).body.paths as object);
    const partner = await paths("/api/openapi.json");
    const dashboard = await paths("/api/openapi-dashboard.json");
    expect(partner).toContain("/api/partner/v1/business-profiles");
    expect(dashboard).toContain("/api/compliance/v1/cases");
    expect(partner.filter((path) => dashboard.includes(path))).toEqual([]);
    expect(partner.filter((path) => /compliance|partner-profile|session/.test(path))).toEqual([]);
  });

  test.each([
    ["partner", "/api/openapi.json"],
    ["dashboard", "/api/openapi-dashboard.json"],
  ] as const)(
    "the document for the %s is made for the base URL of the installation",
    async (audience, path) => {
      const { text } = await stage.request(path);
      expect(text).toBe(JSON.stringify(openApiDocument(audience, stage.issuer)));
    },
  );

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
    expect(policy).toContain("base-uri 'none'");
    const html = await page.text();
    expect(html).not.toMatch(/(src|href)="https?:/);
    for (const [, file = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g))
      expect([file, (await fetch(stage.gateway.url + file)).status]).toEqual([file, 200]);
  });

  test.each(["/api/openapi.json", "/api/openapi-dashboard.json", "/docs", "/docs/search.js"])(
    "%s: the same bytes in each encoding, each with a tag; who has them gets 304",
    async (path) => {
      const get = (headers: Record<string, string>) => fetch(stage.gateway.url + path, { headers });
      const tags = new Set<string>();
      const texts = new Set<string>();
      for (const encoding of ["identity", "gzip", "br"]) {
        const answer = await get({ "Accept-Encoding": encoding });
        const tag = answer.headers.get("etag") ?? "";
        expect(answer.headers.get("content-encoding") ?? "identity").toBe(encoding);
        expect(answer.headers.get("vary")).toBe("Accept-Encoding");
        const again = await get({ "Accept-Encoding": encoding, "If-None-Match": tag });
        expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
        tags.add(tag);
        texts.add(await answer.text());
      }
      expect([tags.size, texts.size]).toEqual([3, 1]);
    },
  );

  test("/metrics is not served here", async () => {
    expect(await stage.request("/metrics")).toMatchObject({ status: 404 });
  });
});
