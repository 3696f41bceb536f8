/** Requests to the token endpoint that are wrong in their form, with the exact answer. */
import { describe, expect, test } from "@jest/globals";
import { ASSERTION_TYPE, tokenForm } from "../../support/builders/assertions.ts";
import { type Answer, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());

describe("a request that is wrong", () => {
  const withForm = (change: (form: URLSearchParams) => void, init?: RequestInit) => () => {
    const form = tokenForm(stage.assertion(partner));
    change(form);
    return stage.tokenRequest(form, init);
  };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const GRANT = "grant_type=client_credentials";

  // Each answer has a row. unit/auth-token/token-request.rules has the other forms.
  const requests: [string, number, string, () => Promise<Answer>][] = [
    ["no body", 400, "invalid_request", () => stage.tokenRequest("")],
    [
      "grant_type authorization_code",
      400,
      "unsupported_grant_type",
      withForm((it) => it.set("grant_type", "authorization_code")),
    ],
    ["no authentication", 401, "invalid_client", () => stage.tokenRequest(GRANT)],
    [
      "HTTP Basic alone",
      401,
      "invalid_client",
      () => stage.tokenRequest(GRANT, { headers: { ...form, Authorization: "Basic YTpi" } }),
    ],
    [
      "HTTP Basic beside the assertion",
      400,
      "invalid_request",
      withForm(() => undefined, { headers: { ...form, Authorization: "Basic YTpi" } }),
    ],
    ["an unknown scope", 400, "invalid_scope", withForm((it) => it.set("scope", "partner.admin"))],
    ["a body above 16 KiB", 413, "invalid_request", () => stage.tokenRequest(tokenForm("x".repeat(17_000)))],
    ...["application/json", ""].map((type): [string, number, string, () => Promise<Answer>] => [
      `content type "${type}"`,
      415,
      "invalid_request",
      () => stage.tokenRequest(GRANT, { headers: { "Content-Type": type } }),
    ]),
  ];

  test.each(requests)("%s: %i %s", async (_name, status, error, send) => {
    const answer = await send();
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.body).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("www-authenticate")).toBe(
      _name === "HTTP Basic alone" ? 'Basic realm="token endpoint"' : null,
    );
  });

  test("an unknown scope does not spend the assertion", async () => {
    const assertion = stage.assertion(partner);
    expect((await stage.tokenRequest(tokenForm(assertion, { scope: "nope" }))).status).toBe(400);
    expect((await stage.tokenRequest(tokenForm(assertion))).status).toBe(200);
  });

  test("GET is not allowed", async () => {
    const answer = await stage.request(`/oauth2/token?grant_type=client_credentials&x=${ASSERTION_TYPE}`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

test("a query is not read, and the address may have one", async () => {
  const init = {
    method: "POST",
    body: tokenForm(stage.assertion(partner)).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  };
  expect((await stage.request("/oauth2/token?scope=nonsense", init)).status).toBe(200);
  expect((await stage.request(`/oauth2/token?${init.body}`, { ...init, body: "" })).status).toBe(400);
});
