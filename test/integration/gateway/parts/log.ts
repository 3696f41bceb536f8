/** The log line of a request, and the values that must not be in it. */
import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../../../shared/errors.ts";
import { randomId } from "../../../../shared/ids.ts";
import { openRaw } from "../../../support/http/raw-http.ts";
import { testServers } from "../../../support/servers/servers.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { CASES, callersOfPart, LIST, stageOfPart, throws } from "../shared-stage.ts";

const CANARY = "canary-9c1d";

const stage = stageOfPart();
const callers = callersOfPart(stage);

describe("the log", () => {
  test("has one line per request: who, which route, what came of it, how long; not the address or the query", async () => {
    const requestId = randomId();
    await stage.request(`${LIST}/${CANARY}?search=${CANARY}`, {
      headers: { ...callers.partner, "Svc-Request-Id": requestId },
    });
    await stage.lineOf(requestId);
    const lines = stage.lines().filter((line) => line.requestId === requestId);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: "info",
      service: "gateway",
      msg: "request.finished",
      method: "GET",
      route: `${LIST}/:customerId`,
      status: 400,
      fields: ["search"],
      ms: expect.any(Number),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      partnerId: callers.partnerId,
    });
    expect(JSON.stringify(lines[0])).not.toContain(CANARY);
  });

  test("the line of a refused request names caller, error code and fields, and no value", async () => {
    const requestId = randomId();
    const details = [
      { field: "email", code: "Validation", message: CANARY },
      { field: "businessPersonList[0].nationality", code: "Country.NotFound", message: CANARY },
    ];
    stage.script("profile.list", throws(new AppError("Validation", CANARY, { details })));
    await callers.list({ "Svc-Request-Id": requestId });
    const line = await stage.lineOf(requestId);
    expect(line).toMatchObject({
      status: 400,
      partnerId: callers.partnerId,
      caller: { kind: "partner", id: expect.any(String) },
      code: "Validation",
      fields: ["email", "businessPersonList[0].nationality"],
    });
    expect(JSON.stringify(line)).not.toContain(CANARY);
  });

  test("the line of a person names the person; a refused token request names its error", async () => {
    const [read, token] = [randomId(), randomId()];
    await stage.request(CASES, { headers: { ...callers.analyst, "Svc-Request-Id": read } });
    expect(await stage.lineOf(read)).toMatchObject({
      status: 200,
      caller: { kind: "analyst", id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    await stage.request("/oauth2/token", {
      method: "POST",
      body: "grant_type=none",
      headers: { "Svc-Request-Id": token, "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await stage.lineOf(token)).toMatchObject({ status: 400, code: "unsupported_grant_type" });
  });

  test("the line of a caller who left says so", async () => {
    const answer = Promise.withResolvers<object>();
    stage.script("profile.list", () => answer.promise);
    const requestId = randomId();
    const socket = await openRaw(stage.gateway.url);
    socket.write(
      `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: ${callers.partner.Authorization}\r\nSvc-Request-Id: ${requestId}\r\n\r\n`,
    );
    await waitFor(() => stage.calls.length === 1, "the call");
    socket.destroy();
    expect(await stage.lineOf(requestId)).toMatchObject({ aborted: true });
    answer.resolve({});
  });

  test("holds no token, cookie, password, assertion, query or body, whatever the outcome", async () => {
    const json = { "Content-Type": "application/json" };
    const secret = (part: string) => `sesame-${part}`;
    const body = JSON.stringify({
      email: `${secret("email")}@x.test`,
      password: secret("password"),
      identityValue: secret("identity"),
    });
    const create = (text: string) =>
      stage.request(LIST, { method: "POST", headers: { ...callers.partner, ...json }, body: text });
    stage.script("profile.create", throws(new Error("inner words")));
    await create(body);
    stage.script("profile.create", throws(new AppError("Validation", "no")));
    await create(body);
    await create(`${body}${secret("broken")}`);
    await stage.request("/api/customer/v1/session", { method: "POST", headers: json, body });
    await stage.request(CASES, { headers: { Cookie: `session=${secret("cookie")}` } });
    await stage.request(LIST, { headers: { Authorization: `Bearer ${secret("bearer")}` } });
    await stage.request(`/nothing/${secret("path")}?token=${secret("query")}`);
    await stage.tokenRequest(`grant_type=client_credentials&client_assertion=${secret("assertion")}`);
    const last = randomId();
    await callers.list({ "Svc-Request-Id": last });
    await stage.lineOf(last);
    const written = JSON.stringify(stage.lines());
    expect(written).toContain("inner words");
    expect(written).not.toContain("sesame");
    expect(written).not.toContain(callers.partner.Authorization.slice("Bearer ".length));
    expect(written).not.toContain(callers.analyst.Cookie.split("=")[1]);
  });

  test.each([
    ["/healthz", "/healthz"],
    ["/docs/nothing", "/docs/:file"],
    ["/dashboard/assets/nothing.js", "/dashboard/*file"],
    ["/api/openapi.json", "/api/openapi.json"],
    ["/api/partner/v1/onboarding-requirements", "/api/partner/v1/onboarding-requirements"],
    ["/nothing", "other"],
  ])("the route of a page is its path: %s", async (path, route) => {
    const requestId = randomId();
    await stage.request(path, { headers: { "Svc-Request-Id": requestId } });
    expect(await stage.lineOf(requestId)).toMatchObject({ route });
  });

  test.each([['%0d%0a{"level":"fatal"}'], ["%1b[31m"], ["%00"], ["%E2%80%A8"]])(
    "an address with %s: one JSON line",
    async (text) => {
      const requestId = randomId();
      await stage.request(`/api/${text}`, {
        headers: { "Svc-Request-Id": requestId, "User-Agent": "x\u00e9" },
      });
      expect(await stage.lineOf(requestId)).toMatchObject({ level: "info", route: "other" });
      expect(stage.lines().filter((line) => line.level === "fatal")).toEqual([]);
    },
  );
});

describe("answers to other nodes", () => {
  test.each([
    ...["$node.list", "$node.services", "$node.actions", "$node.options", "$node.health"],
    ...["api.addRoute", "api.removeRoute", "api.listAliases", "api.rest"],
  ])("no node answers Moleculer's own actions, or adds or shows routes: %s", async (action) => {
    await expect(stage.behind.profile.call(action, {})).rejects.toMatchObject({ type: "SERVICE_NOT_FOUND" });
  });

  test("the list of services holds no secret and not the route table", async () => {
    const { profile } = stage.behind;
    type Listed = { name: string; nodeID: string; settings: object; metadata: object; actions: object };
    const told = (profile.registry.getServiceList({ withActions: true }) as unknown as Listed[])
      .filter(({ nodeID }) => nodeID !== profile.nodeID)
      .map(({ name, settings, metadata, actions }) => ({ name, settings, metadata, actions }));
    expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining(["api", "auth-token"]));
    const text = JSON.stringify(told);
    for (const secret of [
      testServers().mongodbUri,
      testServers().natsUrl,
      "identityKeys",
      "IDENTITY_KEYS",
      LIST,
    ])
      expect(text).not.toContain(secret);
  });
});
