import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
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
  test.each<[string, string, object]>([
    ["the least", form(), {}],
    [
      "with client and scope",
      form({ client_id: "acme", scope: "partner.read" }),
      { clientId: "acme", scope: "partner.read" },
    ],
    [
      "parameters without a value count as left out",
      form({ client_id: "", scope: "", client_secret: "" }),
      {},
    ],
    ["unknown parameters are ignored", form({ other: "x" }), {}],
  ])("%s", (_name, text, given) =>
    expect(readTokenRequest(text, false)).toEqual({
      ...{ assertion: "a.b.c", clientId: null, scope: null },
      ...given,
    }),
  );

  test.each<[string, unknown, string]>([
    ["no form", undefined, "grant_type is missing."],
    ["an object", { ...GOOD }, "grant_type is missing."],
    ["no grant", without("grant_type"), "grant_type is missing."],
    ["an empty grant", form({ grant_type: "" }), "grant_type is missing."],
    ["another grant", form({ grant_type: "password" }), "must be client_credentials"],
    ["a secret beside the assertion", form({ client_secret: "s" }), "client_assertion alone"],
    ["an Authorization header beside the assertion", form(), "client_assertion alone"],
    ["no assertion", without("client_assertion"), "client_assertion is missing."],
    ["an empty assertion", form({ client_assertion: "" }), "client_assertion is missing."],
    ["no assertion type", without("client_assertion_type"), "client_assertion_type must be"],
    ["a parameter twice", `${form()}&scope=a&scope=b`, "more than once"],
    ["a parameter twice, empty both times", `${form()}&x=&x=`, "more than once"],
  ])("%s: refused", (name, text, description) => {
    const error = name === "another grant" ? "unsupported_grant_type" : "invalid_request";
    const message = expect.stringContaining(description);
    expect(() => readTokenRequest(text, name.startsWith("an Authorization header"))).toThrow(
      expect.objectContaining({ status: 400, error, message, headers: {} }),
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

test("any form is read, or refused in the words of RFC 6749", () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webQueryParameters()), fc.boolean(), (text, header) => {
      try {
        readTokenRequest(text, header);
      } catch (error) {
        expect(error).toBeInstanceOf(OAuthProblem);
      }
    }),
  ));
