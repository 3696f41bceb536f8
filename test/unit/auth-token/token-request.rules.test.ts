import { describe, expect, test } from "@jest/globals";
import { OAuthProblem, readTokenRequest } from "../../../services/auth-token/token/token-request.rules.ts";

const GOOD = {
  grant_type: "client_credentials",
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: "a.b.c",
};
const form = (changes: Record<string, string> = {}) =>
  new URLSearchParams({ ...GOOD, ...changes }).toString();
const without = (name: keyof typeof GOOD) => {
  const parameters = new URLSearchParams(GOOD);
  parameters.delete(name);
  return parameters.toString();
};

describe("readTokenRequest", () => {
  test.each<[string, string, unknown]>([
    ["the least", form(), { assertion: "a.b.c", clientId: null, scope: null }],
    [
      "with client and scope",
      form({ client_id: "acme", scope: "partner.read" }),
      { assertion: "a.b.c", clientId: "acme", scope: "partner.read" },
    ],
    [
      "parameters without a value count as left out",
      form({ client_id: "", scope: "", client_secret: "" }),
      { assertion: "a.b.c", clientId: null, scope: null },
    ],
    [
      "parameters nobody knows are passed over",
      form({ other: "x" }),
      { assertion: "a.b.c", clientId: null, scope: null },
    ],
  ])("%s", (_name, text, expected) => expect(readTokenRequest(text, false)).toEqual(expected));

  test.each<[string, unknown, boolean, string, string]>([
    ["no form", undefined, false, "invalid_request", "grant_type is missing."],
    ["an object", { ...GOOD }, false, "invalid_request", "grant_type is missing."],
    ["no grant", without("grant_type"), false, "invalid_request", "grant_type is missing."],
    ["an empty grant", form({ grant_type: "" }), false, "invalid_request", "grant_type is missing."],
    [
      "another grant",
      form({ grant_type: "password" }),
      false,
      "unsupported_grant_type",
      "must be client_credentials",
    ],
    [
      "a secret beside the assertion",
      form({ client_secret: "s" }),
      false,
      "invalid_request",
      "client_assertion alone",
    ],
    [
      "an Authorization header beside the assertion",
      form(),
      true,
      "invalid_request",
      "client_assertion alone",
    ],
    ["no assertion", without("client_assertion"), false, "invalid_request", "client_assertion is missing."],
    [
      "an empty assertion",
      form({ client_assertion: "" }),
      false,
      "invalid_request",
      "client_assertion is missing.",
    ],
    [
      "no assertion type",
      without("client_assertion_type"),
      false,
      "invalid_request",
      "client_assertion_type must be",
    ],
    ["a parameter twice", `${form()}&scope=a&scope=b`, false, "invalid_request", "more than once"],
    ["a parameter twice, empty both times", `${form()}&x=&x=`, false, "invalid_request", "more than once"],
  ])("%s: refused", (_name, text, hasHeader, error, description) => {
    expect(() => readTokenRequest(text, hasHeader)).toThrow(
      expect.objectContaining({
        status: 400,
        error,
        message: expect.stringContaining(description),
        headers: {},
      }),
    );
  });
});

describe("a client that does not authenticate by an assertion (RFC 6749, 5.2)", () => {
  const GRANT = "grant_type=client_credentials";

  test.each<[string, string, boolean]>([
    ["nothing", GRANT, false],
    ["client_id alone", `${GRANT}&client_id=acme`, false],
    ["client_secret", `${GRANT}&client_id=acme&client_secret=s`, false],
    ["another assertion type", form({ client_assertion_type: "saml" }), false],
    ["an Authorization header", GRANT, true],
    ["an Authorization header and client_secret", `${GRANT}&client_secret=s`, true],
  ])("%s: 401 invalid_client, challenged after a header", (_name, text, hasHeader) => {
    expect(() => readTokenRequest(text, hasHeader)).toThrow(
      expect.objectContaining({
        status: 401,
        error: "invalid_client",
        message: expect.stringContaining("private_key_jwt"),
        headers: hasHeader ? { "WWW-Authenticate": expect.stringMatching(/^Basic realm="/) } : {},
      }),
    );
  });

  test("another grant is named before the missing authentication", () => {
    expect(() => readTokenRequest("grant_type=password&client_secret=s", true)).toThrow(
      expect.objectContaining({ status: 400, error: "unsupported_grant_type" }),
    );
  });
});

test("OAuthProblem carries the headers it is given", () => {
  const headers = { "Retry-After": "1" };
  const problem = new OAuthProblem(503, "temporarily_unavailable", "later", headers);
  expect([problem.name, problem.message, problem.headers]).toEqual(["OAuthProblem", "later", headers]);
});
