/** Every row of the route table: who is let in, and what the action is given. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Route } from "../../../../gateway/route.ts";
import { ROUTES } from "../../../../gateway/routes.ts";
import { randomId } from "../../../../shared/ids.ts";
import { PARTNER_PROFILE, SESSION } from "../../../support/clients/dashboard-client.ts";
import { sendRaw } from "../../../support/http/raw-http.ts";
import { expectSecurityHeaders } from "../../../support/http/security-headers.ts";
import { stageOfPart } from "../shared-stage.ts";

const stage = stageOfPart();
/** Headers that let a caller in, by the auth kind of a route. */
let credentials: Record<Route["auth"], Record<string, string>>;
/** A new session of the owner: some routes end the session that calls them. */
let ownerSession: () => Promise<Record<string, string>>;

beforeAll(async () => {
  const partner = await stage.partner();
  const owner = await stage.user(partner.partnerId, "Owner");
  ownerSession = async () => ({ Cookie: await stage.cookie(owner) });
  const session = await ownerSession();
  credentials = {
    partner: { Authorization: `Bearer ${await stage.token(partner)}` },
    user: session,
    session,
    analyst: { Cookie: await stage.cookie(await stage.analyst()) },
    none: {},
  };
});

const filled = (path: string) => path.replaceAll(/:\w+/g, () => randomId());
const bodyOf = (route: Route, json = "{}"): Pick<RequestInit, "body" | "headers"> =>
  route.body === "json"
    ? { body: json, headers: { "Content-Type": "application/json" } }
    : route.body === "form"
      ? { body: "a=b", headers: { "Content-Type": "application/x-www-form-urlencoded" } }
      : {};
const ask = (route: Route, headers: Record<string, string>, json?: string) => {
  const { body, headers: own } = bodyOf(route, json);
  return stage.request(filled(route.path), {
    method: route.method,
    headers: { ...(own as Record<string, string>), ...headers },
    ...(body ? { body } : {}),
  });
};

/** The answer of a route of auth-token to an empty body and random ids, where it is not 200. */
const ANSWERS: Record<string, [status: number, code: string]> = {
  "POST /oauth2/token": [400, "invalid_request"],
  [`POST ${SESSION}`]: [400, "ValidationControl.Error"],
  [`POST ${SESSION}/password`]: [400, "ValidationControl.Error"],
  [`POST ${SESSION}/invitation`]: [400, "ValidationControl.Error"],
  [`DELETE ${SESSION}/all/:sessionId`]: [404, "Session.NotFound"],
  [`POST ${SESSION}/second-factor/confirm`]: [400, "ValidationControl.Error"],
  [`POST ${PARTNER_PROFILE}/api-credentials`]: [400, "Certificate.Invalid"],
  [`POST ${PARTNER_PROFILE}/api-credentials/:credentialId/certificates`]: [404, "ApiCredential.NotFound"],
  [`DELETE ${PARTNER_PROFILE}/api-credentials/:credentialId/certificates/:thumbprint`]: [
    404,
    "ApiCredential.NotFound",
  ],
  [`POST ${PARTNER_PROFILE}/api-credentials/:credentialId/revoke`]: [404, "ApiCredential.NotFound"],
  [`GET ${PARTNER_PROFILE}/api-credentials/:credentialId/token-failures`]: [404, "ApiCredential.NotFound"],
  [`POST ${PARTNER_PROFILE}/team/invitations`]: [400, "ValidationControl.Error"],
  [`DELETE ${PARTNER_PROFILE}/team/invitations/:invitationId`]: [404, "Invitation.NotFound"],
  [`PATCH ${PARTNER_PROFILE}/team/:userId`]: [404, "User.NotFound"],
  [`POST ${PARTNER_PROFILE}/team/:userId/disable`]: [404, "User.NotFound"],
  [`POST ${PARTNER_PROFILE}/team/:userId/enable`]: [404, "User.NotFound"],
  [`POST ${PARTNER_PROFILE}/team/:userId/end-sessions`]: [404, "User.NotFound"],
  [`GET ${PARTNER_PROFILE}/sandbox`]: [404, "Sandbox.NotFound"],
};

const rows = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);
const scripted = rows.filter(([, route]) => !route.action.startsWith("auth-token."));

describe("a body that JSON.parse would change", () => {
  const unfaithful = [
    ["1e400", '{"a":[{"b":1e400}]}', "a[0].b", "is a number beyond what a double can hold"],
    ["-1e400", '{"a":[{"b":-1e400}]}', "a[0].b", "is a number beyond what a double can hold"],
    [
      "17 digits",
      '{"a":12345678901234567}',
      "a",
      "is an integer beyond 9007199254740992 (2^53), where JSON numbers lose digits",
    ],
    ["a doubled key", '{"a":{"b":1,"c":2,"b":1}}', "a.b", "is duplicated in its object"],
  ] as const;
  const withJson = rows.filter(([, route]) => route.body === "json");
  test.each(
    withJson.flatMap(([name, route]) =>
      unfaithful.map(([what, ...rest]) => [name, what, route, ...rest] as const),
    ),
  )(
    "%s with %s: 400 with its malformed code and the path, and no action runs",
    async (...[, , route, body, field, message]) => {
      const answer = await ask(route, credentials[route.auth], body);
      const code = route.malformedCode ?? "ValidationControl.Error";
      expect(answer).toMatchObject({
        status: 400,
        body: { isSuccess: false, error: { code, details: [{ field, code, message }] } },
      });
      expect(answer.text).toContain(`${field}: ${message}`);
      expect(stage.calls).toEqual([]);
    },
  );
});

describe("every route of the table", () => {
  test.each(scripted)("%s: reaches its action with path, query, body and caller", async (_, route) => {
    const answer = await ask(route, credentials[route.auth]);
    expectSecurityHeaders(answer.headers);
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
  });

  test.each(rows.filter(([, route]) => route.action.startsWith("auth-token.")))(
    "%s: reaches the auth-token service",
    async (name, route) => {
      for (const service of ["webhook-registry", "delivery", "profile"] as const)
        stage.script(`${service}.auditEntries`, () => ({ items: [] }));
      const answer = await ask(route, route.auth === "none" ? {} : await ownerSession());
      expectSecurityHeaders(answer.headers);
      const { error } = answer.body as { error?: string | { code: string } | null };
      const code = typeof error === "string" ? error : (error?.code ?? null);
      expect([answer.status, code]).toEqual(ANSWERS[name] ?? [200, null]);
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

describe("another method than the route's", () => {
  /** A name where others have an id is also read as one. */
  const fits = (shape: string, path: string) =>
    new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(shape);
  const shapes = new Set(ROUTES.map(({ path }) => path.replaceAll(/:\w+/g, ":id")));
  const cases = [...shapes].flatMap((shape) => {
    const methods = new Set(ROUTES.filter(({ path }) => fits(shape, path)).map(({ method }) => method));
    return (["GET", "POST", "PUT", "PATCH", "DELETE"] as const)
      .filter((method) => !methods.has(method))
      .map((method) => [method, shape, methods] as const);
  });

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
  test("HEAD of a route with GET: the headers of GET without its body", async () => {
    const get = await stage.request("/api/ping");
    const head = await stage.request("/api/ping", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  });

  test("HEAD of an unknown address: 404 without a body", async () => {
    expect(await stage.request("/nothing", { method: "HEAD" })).toMatchObject({ status: 404, text: "" });
  });

  test("HEAD of a route without GET: 405 without a body", async () => {
    expect(await stage.request("/oauth2/token", { method: "HEAD" })).toMatchObject({ status: 405, text: "" });
  });
});
