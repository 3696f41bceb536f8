import { beforeAll, describe, expect, test } from "@jest/globals";
import { sendRaw } from "../../../support/http/raw-http.ts";
import { CASES, LIST as PROFILES, stageOfPart } from "../shared-stage.ts";

const stage = stageOfPart();
let partner: string;

beforeAll(async () => {
  partner = await stage.token(await stage.partner());
});

async function ask(method: string, target: string) {
  const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${partner}\r\n`;
  const { status, headers, body } = await sendRaw(stage.gateway.url, `${head}\r\n`);
  const error = /"code":"([\w.]+)"/.exec(body)?.[1];
  const allow = headers.get("allow")?.split(", ").sort().join(" ");
  const [call] = stage.calls;
  return {
    status,
    ...(error ? { error } : {}),
    ...(allow ? { allow } : {}),
    ...(call ? { action: call.action, params: call.params.params, query: call.params.query } : {}),
  };
}

const list = (query: object = {}) => ({ status: 200, action: "profile.list", params: {}, query });
const get = (customerId: string, query: object = {}) => ({
  status: 200,
  action: "profile.get",
  params: { customerId },
  query,
});
const none = { status: 404, error: "Route.NotFound" };
const unknown = { status: 400, error: "ValidationControl.Error" };

describe("an address that leads to a row", () => {
  test.each([
    ["GET", PROFILES, list()],
    ["GET", `${PROFILES}/`, list()],
    ["GET", `${PROFILES}//`, list()],
    ["GET", `${PROFILES}?`, list()],
    ["GET", `${PROFILES}/?`, list()],
    ["GET", PROFILES.toUpperCase(), list()],
    ["GET", "/API/Partner/v1/Business-Profiles/AbC", get("AbC")],
    ["GET", `${PROFILES}/a`, get("a")],
    ["GET", `${PROFILES}/a/`, get("a")],
    ["GET", `${PROFILES}/a%2Fb`, get("a/b")],
    ["GET", `${PROFILES}/a%20b+c`, get("a b+c")],
    ["GET", `${PROFILES}/%C3%A9`, get("é")],
    ["GET", `${PROFILES}/%252F`, get("%2F")],
    ["GET", `${PROFILES}/a;b=c,d`, get("a;b=c,d")],
    ["GET", `${PROFILES}/..`, get("..")],
    ["GET", `${PROFILES}/:customerId`, get(":customerId")],
    ["GET", `${PROFILES}/by-reference`, get("by-reference")],
    [
      "GET",
      `${PROFILES}/by-reference/x`,
      { status: 200, action: "profile.getByReference", params: { partnerCustomerId: "x" }, query: {} },
    ],
    [
      "GET",
      `${PROFILES}/a/verification-status/`,
      { status: 200, action: "profile.verificationStatus", params: { customerId: "a" }, query: {} },
    ],
  ])("%s %s", async (method, target, expected) => {
    expect(await ask(method, target)).toEqual(expected);
  });
});

describe("a query", () => {
  test.each([
    ["?pageSize=2", list({ pageSize: "2" })],
    ["?pageSize=", list({ pageSize: "" })],
    ["?pageSize", list({ pageSize: "" })],
    ["?&&pageSize=2&", list({ pageSize: "2" })],
    ["?=1", list()],
    ["?companyName=a+b%20c", list({ companyName: "a b c" })],
    ["?companyName=%C3%A9", list({ companyName: "é" })],
    ["?companyName=%zz", list({ companyName: "%zz" })],
    ["?companyName=a=b?c", list({ companyName: "a=b?c" })],
    ["?company%4Eame=a", list({ companyName: "a" })],
    ["?page=1&page=2", list({ page: ["1", "2"] })],
    ["?pagesize=1", unknown],
    ["?PAGE=1", unknown],
    ["?a[b]=1", unknown],
    ["?other[]=1", unknown],
  ])("%s", async (query, expected) => {
    expect(await ask("GET", PROFILES + query)).toEqual(expected);
  });

  test.each(["?page[]=1", "?page[$gt]=1", "?page%5Bx%5D=1", "?page[x]=1&page=2", "?page=2&page[x]=1"])(
    "%s: the action gets a value that is no text",
    async (query) => {
      const answer = await ask("GET", PROFILES + query);
      expect(answer).toEqual(list({ page: expect.any(Object) }));
    },
  );
});

describe("an address without a row", () => {
  test.each([
    ["GET", "/nothing", none],
    ["GET", "*", none],
    ["GET", "/api", none],
    ["GET", `//api/ping`, none],
    ["GET", `/api//ping`, none],
    ["GET", "/api/%70ing", none],
    ["GET", `${PROFILES}x`, none],
    ["GET", `${PROFILES}/a/b`, none],
    ["GET", `${PROFILES}//verification-status`, none],
    ["GET", `${PROFILES}/%zz`, none],
    ["GET", `${PROFILES}/%E0%A4%A`, none],
    ["DELETE", `${CASES}/%zz`, none],
    ["GET", "/docs/a/b", none],
    ["GET", "/api/.well-known/x", none],
    ["GET", "/xwell-known/oauth-authorization-server", none],
    ["OPTIONS", "/nothing", none],
    ["OPTIONS", "*", none],
  ])("%s %s", async (method, target, expected) => {
    expect(await ask(method, target)).toEqual(expected);
  });
});

describe("a method without a row", () => {
  const refused = (allow: string) => ({ status: 405, error: "Request.MethodNotAllowed", allow });
  test.each([
    ["DELETE", PROFILES, refused("GET HEAD POST")],
    ["OPTIONS", PROFILES, refused("GET HEAD POST")],
    ["POST", `${PROFILES}/a/`, refused("GET HEAD PATCH PUT")],
    ["POST", `${PROFILES.toUpperCase()}/a`, refused("GET HEAD PATCH PUT")],
    ["PUT", "/healthz", refused("GET HEAD")],
    ["POST", "/", refused("GET HEAD")],
    ["POST", "/docs/x", refused("GET HEAD")],
    ["POST", "/dashboard/a/b/c", refused("GET HEAD")],
    ["GET", "/storage/notices", refused("POST")],
    ["GET", "/api/partner/v1/business-profiles/a/submit", refused("POST")],
    ["DELETE", `${CASES}/claim-next`, refused("GET HEAD POST")],
  ])("%s %s", async (method, target, expected) => {
    expect(await ask(method, target)).toEqual(expected);
  });
});

describe("pages", () => {
  test.each([
    ["GET", "/healthz", 200],
    ["GET", "/healthz/", 200],
    ["GET", "/HEALTHZ?x=1", 200],
    ["HEAD", "/healthz", 200],
    ["GET", "/", 302],
    ["GET", "//", 302],
    ["GET", "/?x=1", 302],
    ["HEAD", "/", 302],
  ])("%s %s: %i", async (method, target, status) => {
    expect((await ask(method, target)).status).toBe(status);
  });

  test.each([
    ["GET", 410],
    ["HEAD", 410],
  ])("%s of a withdrawn operation: %i", async (method, status) => {
    expect((await ask(method, "/api/partner/v1/webhooks/deliveries/%zz1")).status).toBe(404);
    expect((await ask(method, "/api/partner/v1/webhooks/deliveries/x/?a[b]=c")).status).toBe(status);
  });
});
