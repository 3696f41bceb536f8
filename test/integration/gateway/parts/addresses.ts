import { beforeAll, describe, expect, test } from "@jest/globals";
import { openApiDocument } from "../../../../gateway/openapi/openapi.ts";
import { ROUTES } from "../../../../gateway/routes.ts";
import { WITHDRAWN_ROUTES } from "../../../../gateway/withdrawn.ts";
import { randomId } from "../../../../shared/ids.ts";
import { buildPages } from "../../../support/built-pages.ts";
import { sendRaw } from "../../../support/http/raw-http.ts";
import { expectSecurityHeaders } from "../../../support/http/security-headers.ts";
import { stageOfPart } from "../shared-stage.ts";

const stage = stageOfPart();
let partner: Record<string, string>;

beforeAll(async () => {
  await buildPages();
  partner = { Authorization: `Bearer ${await stage.token(await stage.partner())}` };
});

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

  test.each([
    ["http://elsewhere.example/api/ping?", 200],
    ["HTTPS://elsewhere.example:8443/api/ping", 200],
    ["http://elsewhere.example", 302],
    ["http://elsewhere.example/api/nothing", 404],
  ])("%s, a target with its host: served as its path, %i", async (target, status) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(stage.gateway.url, request)).toMatchObject({ status });
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

  test("/docs is a page with scripts and styles from this origin only", async () => {
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

  test("/metrics is not served here", async () => {
    expect(await stage.request("/metrics")).toMatchObject({ status: 404 });
  });
});
