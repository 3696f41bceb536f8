/** The gatekeeper admits or refuses tokens and sessions, against scripted answers of auth-token. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import pino from "pino";
import { createGatekeeper } from "../../../gateway/admit/authenticate.ts";
import type { EdgeRequest } from "../../../gateway/http/edge-request.ts";
import type { Route } from "../../../gateway/route.ts";
import { signAccessToken, tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";
import type { Config } from "../../../shared/config/config.ts";
import { type AppError, unavailable } from "../../../shared/errors.ts";
import { sessionIdOf } from "../../../shared/identity/session-cookie.ts";
import type { SessionFacts } from "../../../shared/identity/session-facts.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

const BASE = "https://onboarding.example";
const NOW_S = 1_800_000_000;
const COOKIE = "c".repeat(43);
const keyPair = generateKeyPairSync("ed25519");
const { kty, crv, x } = keyPair.publicKey.export({ format: "jwk" }) as {
  kty: string;
  crv: string;
  x: string;
};
const FACTS = { issuer: BASE, audience: `${BASE}/api`, clientId: "client", partnerId: "p1", isTest: false };
const tokenOf = (change: Partial<Parameters<typeof signAccessToken>[0]> = {}, kid = "k1") =>
  signAccessToken(
    { ...FACTS, scopes: ["partner.read"], jti: "cred.thumb.id", nowSeconds: NOW_S, ...change },
    tokenSigner(kid, keyPair.privateKey),
  );
const SESSION: SessionFacts = {
  ...{ sessionId: sessionIdOf(COOKIE), userId: "u1", email: "a@b.example", role: "Owner", expiresAt: "" },
  partner: { partnerId: "p1", name: "Acme", active: true, onboardingApproved: true },
  ...{ signedInSecondsAgo: 600, lacksSecondFactor: false },
};

async function aGatekeeper(session: SessionFacts | null = SESSION, trust: object = {}) {
  const asked: unknown[] = [];
  const gatekeeper = createGatekeeper({
    config: {
      ...{
        baseUrl: BASE,
        env: "production",
        trustedProxies: [],
        failuresPerAddress: 2,
        freshSignInMinutes: 10,
      },
    } as unknown as Config,
    clock: { now: () => NOW_S * 1_000 },
    logger: pino({ level: "silent" }),
    metrics: createMetrics("test"),
    call: async <T>(action: string, params: unknown) => {
      const keys = [{ kid: "k1", kty, crv, x }];
      const lists = { revokedCredentialIds: [], removedCertificateIds: [], inactivePartnerIds: [] };
      if (action === "auth-token.trustState") return { keys, ...lists, ...trust } as T;
      if (action === "auth-token.leaseQuota") return { granted: 2, used: 2 } as T;
      asked.push([action, params]);
      return session as T;
    },
  });
  await gatekeeper.start();
  await gatekeeper.stop();
  const admit = (route: Partial<Route>, headers: object, more: object = {}) =>
    gatekeeper.authenticate(
      { method: "GET", path: "/x", auth: "session", ...route } as Route,
      {
        ...{ headers, method: route.method ?? "GET", socket: { remoteAddress: "198.51.100.1" } },
        ...{ edge: { requestId: "r" }, ...more },
      } as unknown as EdgeRequest,
    );
  return { admit, asked };
}

type Change = Partial<SessionFacts>;
const UNKNOWN = "Partner.NotAuthenticated";
const refusal = (type: string) => expect.objectContaining({ type });
const READ: Partial<Route> = { auth: "partner", scope: "partner.read" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (value = COOKIE) => ({ cookie: `__Host-pbo_session=${value}` });
const REALM = 'Bearer realm="partner-api"';
const invalid = { type: UNKNOWN, challenge: `${REALM}, error="invalid_token"` };

describe("an access token", () => {
  test("admits its client, each time with the same caller", async () => {
    const { admit } = await aGatekeeper();
    const caller = { kind: "partner", partnerId: "p1", clientId: "client", scopes: ["partner.read"] };
    const token = tokenOf();
    expect(await admit(READ, bearer(token))).toEqual(caller);
    expect(await admit(READ, bearer(token))).toEqual(caller);
    expect(await admit(READ, { authorization: `bearer  ${tokenOf({ nowSeconds: NOW_S + 30 })}` })).toEqual(
      caller,
    );
  });

  const noToken = { type: UNKNOWN, challenge: REALM };
  const otherScope = {
    type: "Partner.InsufficientScope",
    challenge: `${REALM}, error="insufficient_scope", scope="partner.read"`,
  };
  test.each<[string, object, object, { type: string; challenge?: string }]>([
    ["no header", {}, {}, noToken],
    ["another scheme", { authorization: "Basic x" }, {}, noToken],
    ["a scheme that begins alike", { authorization: "Bearerx y" }, {}, noToken],
    ["no token", { authorization: "Bearer " }, {}, invalid],
    ["two tokens", { authorization: `Bearer a Bearer ${tokenOf()}` }, {}, invalid],
    ["too long a token", bearer("x".repeat(4_097)), {}, invalid],
    ["an unknown key", bearer(tokenOf({}, "k2")), {}, invalid],
    ["another signature", bearer(`${tokenOf().slice(0, -4)}AAAA`), {}, invalid],
    ["another audience", bearer(tokenOf({ audience: BASE })), {}, invalid],
    ["another issuer", bearer(tokenOf({ issuer: "https://x.example" })), {}, invalid],
    ["an expired token", bearer(tokenOf({ nowSeconds: NOW_S - 300 })), {}, invalid],
    ["a token of the future", bearer(tokenOf({ nowSeconds: NOW_S + 31 })), {}, invalid],
    ["a revoked credential", bearer(tokenOf()), { revokedCredentialIds: ["cred"] }, invalid],
    ["a removed certificate", bearer(tokenOf()), { removedCertificateIds: ["cred.thumb"] }, invalid],
    ["an inactive partner", bearer(tokenOf()), { inactivePartnerIds: ["p1"] }, { type: "Partner.Inactive" }],
    ["another scope", bearer(tokenOf({ scopes: ["partner.write"] })), {}, otherScope],
  ])("%s: refused", async (_name, headers, trust, { type, challenge }) => {
    const { admit } = await aGatekeeper(null, trust);
    const { "WWW-Authenticate": answered, ...rest } = await admit(READ, headers).then(
      () => ({}),
      (error) => ({ type: error.type, ...error.data.headers }),
    );
    expect([rest, answered]).toEqual([expect.objectContaining({ type, "RateLimit-Limit": "2" }), challenge]);
  });
});

describe("a session", () => {
  const { sessionId, userId, email } = SESSION;
  const person = { userId, email, sessionId };
  const user = { ...person, kind: "user", role: "Owner", partnerId: "p1" };
  const analyst: Change = { role: "Analyst", partner: null };
  const noFactor: Change = { lacksSecondFactor: true };
  const [any, ofAnalysts]: Partial<Route>[] = [{ auth: "session" }, { auth: "analyst" }];
  const write: Partial<Route> = { ...any, method: "POST" };
  const owners: Partial<Route> = { auth: "user", roles: ["Viewer", "Owner"] };
  const fresh: Partial<Route> = { ...owners, fresh: true };
  const ofPartner = (change: object) => ({ partner: { ...SESSION.partner, ...change } }) as Change;
  const sandbox = { "svc-sandbox": "true" };

  test.each<[string, Partial<Route> | undefined, Change, object, object]>([
    ["any signed-in person", any, {}, {}, user],
    ["a role of the route", owners, {}, {}, user],
    ["for the sandbox", owners, {}, sandbox, { ...user, isTest: true }],
    ["not for the sandbox of a session", any, {}, sandbox, user],
    ["an analyst", ofAnalysts, analyst, {}, { ...person, kind: "analyst" }],
    ["a lead", ofAnalysts, { ...analyst, isLead: true }, {}, { ...person, kind: "analyst", isLead: true }],
    ["without a second factor, to set it up", any, noFactor, {}, user],
    ["ten minutes after the sign-in", fresh, {}, {}, user],
  ])("%s: admitted", async (_name, route, change, headers, caller) => {
    const { admit, asked } = await aGatekeeper({ ...SESSION, ...change });
    expect(await admit(route ?? {}, { ...cookie(), ...headers })).toEqual(caller);
    const inSandbox = "isTest" in caller ? { inSandbox: true } : {};
    expect(asked).toEqual([["auth-token.checkSession", { sessionId, ...inSandbox }]]);
  });

  const two = { cookie: `${cookie().cookie};${cookie("d".repeat(43)).cookie}` };
  const elsewhere = { origin: "https://x.example" };
  test.each<[string, Partial<Route> | undefined, Change | null, object, string]>([
    ["no cookie", any, {}, {}, UNKNOWN],
    ["an ended session", any, null, cookie(), UNKNOWN],
    ["two cookies", any, {}, two, UNKNOWN],
    ["a cookie that is none of ours", any, {}, cookie(`${COOKIE}$`), UNKNOWN],
    ["a write of another site, no cookie", write, {}, elsewhere, UNKNOWN],
    ["a write of another site", write, {}, { ...cookie(), ...elsewhere }, "Request.CrossSite"],
    ["another role", owners, { role: "Developer" }, cookie(), "Partner.InsufficientRole"],
    ["a person at an analyst's route", ofAnalysts, {}, cookie(), "Partner.InsufficientRole"],
    ["an analyst at a partner's route", owners, analyst, cookie(), UNKNOWN],
    ["no second factor", owners, noFactor, cookie(), "Session.SecondFactorMissing"],
    ["an old sign-in", fresh, { signedInSecondsAgo: 601 }, cookie(), "Session.FreshSignInRequired"],
    ["an inactive partner", owners, ofPartner({ active: false }), cookie(), "Partner.Inactive"],
    [
      "a new partner",
      owners,
      ofPartner({ onboardingApproved: false }),
      cookie(),
      "Partner.OnboardingNotApproved",
    ],
  ])("%s: refused", async (_name, route, change, headers, type) => {
    const { admit } = await aGatekeeper(change && { ...SESSION, ...change });
    const { data, ...error } = await admit(route ?? {}, headers).then(
      () => ({}) as AppError,
      (error: AppError) => error,
    );
    expect(error).toMatchObject({ type });
    const challenge = 'Cookie realm="dashboard", cookie-name="__Host-pbo_session"';
    expect(data?.headers?.["WWW-Authenticate"]).toBe(type === UNKNOWN ? challenge : undefined);
  });

  test("of an inactive partner: admitted where the route is open to it", async () => {
    const { admit } = await aGatekeeper({ ...SESSION, ...ofPartner({ active: false }) });
    expect(await admit({ ...owners, openToInactivePartner: true }, cookie())).toEqual(user);
  });

  test("a read in the background is reported as such", async () => {
    const { admit, asked } = await aGatekeeper();
    await admit({}, { ...cookie(), "svc-background": "true" });
    expect(asked).toEqual([[expect.any(String), expect.objectContaining({ isBackground: true })]]);
  });

  test("an open route: the session of a browser that has one, and no error without", async () => {
    const { admit } = await aGatekeeper();
    expect(await admit({ auth: "none" }, cookie())).toBeNull();
    expect(await admit({ auth: "none", optionalSession: true }, cookie())).toEqual(user);
    expect(await admit({ auth: "none", optionalSession: true }, {})).toBeNull();
  });
});

test("an address that has spent its failures is refused, unless it brings what was or may be good", async () => {
  const { admit, asked } = await aGatekeeper();
  const token = tokenOf();
  await admit({}, cookie());
  for (const type of [UNKNOWN, UNKNOWN, "Request.RateLimited"])
    await expect(admit(READ, bearer("x"))).rejects.toEqual(refusal(type));
  const before = asked.length;
  await expect(admit({}, cookie("d".repeat(43)))).rejects.toEqual(refusal("Request.RateLimited"));
  expect(asked).toHaveLength(before);
  for (const bad of ["x", tokenOf({}, "k2"), tokenOf({ nowSeconds: NOW_S - 300 })])
    await expect(admit(READ, bearer(bad))).rejects.toEqual(refusal("Request.RateLimited"));
  expect(await admit(READ, bearer(token))).toMatchObject({ clientId: "client" });
  expect(await admit({}, cookie())).toMatchObject({ userId: "u1" });
  expect(await admit({ auth: "none" }, {})).toBeNull();
});

test("a session that cannot be checked is no failure of the address: the error is passed on", async () => {
  const { admit } = await aGatekeeper(Promise.reject(unavailable("auth-token")) as never);
  for (let turn = 0; turn < 4; turn += 1)
    await expect(admit({}, cookie())).rejects.toEqual(refusal("Service.Unavailable"));
});

test("a route of an unknown kind admits nobody", async () => {
  const { admit } = await aGatekeeper();
  await expect(admit({ auth: "parnter" as never }, cookie())).rejects.toEqual(refusal(UNKNOWN));
});
