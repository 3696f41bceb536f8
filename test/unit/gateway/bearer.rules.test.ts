import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readAccessToken } from "../../../gateway/admit/bearer.rules.ts";

const EXPECTED = { issuer: "https://onboarding.example", audience: "https://onboarding.example/api" };
const HEADER = { alg: "EdDSA", typ: "at+jwt", kid: "key-1" };
const CLAIMS = {
  iss: "https://onboarding.example",
  aud: "https://onboarding.example/api",
  sub: "acme-1",
  client_id: "acme-1",
  partner_id: "partner-1",
  scope: "partner.write partner.read",
  jti: "token-1",
  iat: 1_800_000_000,
  exp: 1_800_000_900,
};
const encoded = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const token = (header: unknown, claims: unknown, signature = "c2ln") =>
  `${encoded(header)}.${encoded(claims)}.${signature}`;
const read = (compact: string) => readAccessToken(compact, EXPECTED);

describe("readAccessToken", () => {
  test("a token of ours: what it says, what was signed, and the signature", () => {
    const compact = token(HEADER, CLAIMS);
    expect(read(compact)).toEqual({
      kid: "key-1",
      jti: "token-1",
      caller: {
        kind: "partner",
        partnerId: "partner-1",
        clientId: "acme-1",
        scopes: ["partner.read", "partner.write"],
      },
      iat: 1_800_000_000,
      exp: 1_800_000_900,
      signed: Buffer.from(compact.slice(0, compact.lastIndexOf("."))),
      signature: Buffer.from("sig"),
    });
  });

  test("a token is a test partner's only when the claim is true", () => {
    for (const test of [true, "true", 1, undefined])
      expect(read(token(HEADER, { ...CLAIMS, test }))?.caller.isTest).toBe(test === true ? true : undefined);
  });

  test.each([
    ["partner.read", ["partner.read"]],
    ["partner.write", ["partner.write"]],
    ["partner.admin partner.read", ["partner.read"]],
    ["partner.reader", []],
    ["PARTNER.READ", []],
  ])("the scope %j: %j", (scope, scopes) => {
    expect(read(token(HEADER, { ...CLAIMS, scope }))?.caller.scopes).toEqual(scopes);
  });

  test.each<[string, unknown]>([
    ["none", { ...HEADER, alg: "none" }],
    ["HMAC", { ...HEADER, alg: "HS256" }],
    ["another curve's name", { ...HEADER, alg: "Ed25519" }],
    ["no algorithm", { ...HEADER, alg: undefined }],
    ["an id token", { ...HEADER, typ: "JWT" }],
    ["no type", { ...HEADER, typ: undefined }],
    ["a critical header", { ...HEADER, crit: [] }],
    ["a critical header of null", { ...HEADER, crit: null }],
    ["no key", { ...HEADER, kid: undefined }],
    ["an empty key", { ...HEADER, kid: "" }],
    ["a key that is no text", { ...HEADER, kid: 1 }],
    ["a header that is null", null],
    ["a header that is a number", 7],
    ["a header that is a list", []],
    ["a header that is no JSON", "{"],
  ])("a header with %s: none of ours", (_name, header) => expect(read(token(header, CLAIMS))).toBeNull());

  test.each<[string, unknown]>([
    ["another issuer", { ...CLAIMS, iss: "https://evil.example" }],
    ["no issuer", { ...CLAIMS, iss: undefined }],
    ["another audience", { ...CLAIMS, aud: "https://onboarding.example" }],
    ["the audience in a list", { ...CLAIMS, aud: ["https://onboarding.example/api"] }],
    ["another subject than the client", { ...CLAIMS, sub: "other" }],
    ["no client", { ...CLAIMS, client_id: undefined, sub: undefined }],
    ["an empty client", { ...CLAIMS, client_id: "", sub: "" }],
    ["no partner", { ...CLAIMS, partner_id: undefined }],
    ["an empty partner", { ...CLAIMS, partner_id: "" }],
    ["a partner that is no text", { ...CLAIMS, partner_id: { $ne: "" } }],
    ["no id", { ...CLAIMS, jti: undefined }],
    ["no scope", { ...CLAIMS, scope: undefined }],
    ["an empty scope", { ...CLAIMS, scope: "" }],
    ["a list of scopes", { ...CLAIMS, scope: ["partner.read"] }],
    ["iat as a text", { ...CLAIMS, iat: "1800000000" }],
    ["no iat", { ...CLAIMS, iat: undefined }],
    ["exp as a text", { ...CLAIMS, exp: "1800000900" }],
    ["no exp", { ...CLAIMS, exp: undefined }],
    ["claims that are null", null],
    ["claims that are no JSON", "nonsense"],
  ])("claims with %s: none of ours", (_name, claims) => expect(read(token(HEADER, claims))).toBeNull());

  test.each([
    ["empty", ""],
    ["two parts", `${encoded(HEADER)}.${encoded(CLAIMS)}`],
    ["four parts", `${token(HEADER, CLAIMS)}.c2ln`],
    ["no signature", token(HEADER, CLAIMS, "")],
    ["padding", token(HEADER, CLAIMS, "c2ln=")],
    ["plain base64", token(HEADER, CLAIMS, "+/+/")],
    ["a blank", token(HEADER, CLAIMS, "c2 ln")],
    ["a line end", `${token(HEADER, CLAIMS)}\n`],
  ])("%s: none of ours", (_name, compact) => expect(read(compact)).toBeNull());

  test("any text: read or not, never an error", () => {
    const part = fc.oneof(fc.json().map(encoded), fc.base64String(), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        expect(read(parts.join("."))).toBeNull();
      }),
    );
  });
});
