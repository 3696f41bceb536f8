import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  AssertionRefused,
  checkAudience,
  checkHeader,
  checkParties,
  checkTimes,
  decodeAssertion,
  jtiOf,
  subjectOf,
} from "../../../services/auth-token/token/assertion.rules.ts";
import {
  type ClientCertificate,
  usableCertificates,
} from "../../../services/auth-token/token/certificate-choice.rules.ts";

const NOW = 1_800_000_000;
const reasonOf = (run: () => unknown): string => {
  try {
    run();
    return "accepted";
  } catch (error) {
    if (error instanceof AssertionRefused) return error.reason;
    throw error;
  }
};

describe("checkTimes", () => {
  test.each([
    ["exp now", { exp: NOW }, "accepted"],
    ["exp 29 s ago", { exp: NOW - 29 }, "accepted"],
    ["exp 30 s ago", { exp: NOW - 30 }, "Expired"],
    ["exp 3,630 s ahead", { exp: NOW + 3_630 }, "accepted"],
    ["exp 3,631 s ahead", { exp: NOW + 3_631 }, "ExpiryTooFar"],
    ["exp infinite", { exp: Number.POSITIVE_INFINITY }, "ExpiryInvalid"],
    ["exp null", { exp: null }, "ExpiryInvalid"],
    ["exp as text", { exp: String(NOW + 60) }, "ExpiryInvalid"],
    ["exp in milliseconds", { exp: 1_000 * NOW }, "ExpiryTooFar"],
    ["iat as text", { exp: NOW + 60, iat: "now" }, "IssuedInFuture"],
    ["nbf 30 s ahead", { exp: NOW + 60, nbf: NOW + 30 }, "accepted"],
    ["nbf 31 s ahead", { exp: NOW + 60, nbf: NOW + 31 }, "NotYetValid"],
    ["nbf null", { exp: NOW + 60, nbf: null }, "NotYetValid"],
    ["iat 30 s ahead", { exp: NOW + 60, iat: NOW + 30 }, "accepted"],
    ["iat 31 s ahead", { exp: NOW + 60, iat: NOW + 31 }, "IssuedInFuture"],
    ["iat long ago", { exp: NOW + 60, iat: 0 }, "accepted"],
  ])("%s", (_name, claims, expected) => expect(reasonOf(() => checkTimes(claims, NOW))).toBe(expected));

  test("too far ahead, or over: says how far; a jti: how long it may be", () => {
    expect(() => checkTimes({ exp: NOW + 4_000 }, NOW)).toThrow("at most 3600 s ahead; it is 4000 s.");
    expect(() => checkTimes({ exp: NOW - 40 }, NOW)).toThrow("expired 40 s ago");
    expect(() => jtiOf({})).toThrow("16 to 255 characters");
  });
});

describe("the other claims and the header", () => {
  test.each<[string, () => unknown, string]>([
    ["alg RS256", () => checkHeader({ alg: "RS256" }), "accepted"],
    ["typ null", () => checkHeader({ alg: "RS256", typ: null }), "TypeNotAllowed"],
    ["crit empty", () => checkHeader({ alg: "RS256", crit: [] }), "CriticalHeaderRefused"],
    ["sub empty", () => subjectOf({ sub: "" }), "ClientUnknown"],
    ["no sub", () => subjectOf({}), "ClientUnknown"],
    ["iss and sub both absent", () => checkParties({}, null), "accepted"],
    ["client_id differs", () => checkParties({ iss: "a", sub: "a" }, "b"), "IssuerMismatch"],
    ["one of two audiences", () => checkAudience({ aud: "b" }, ["a", "b"]), "accepted"],
    ["nested audience", () => checkAudience({ aud: [["a"]] }, ["a"]), "AudienceInvalid"],
    ["two audiences, both accepted", () => checkAudience({ aud: ["a", "b"] }, ["a", "b"]), "AudienceInvalid"],
    ["an audience in a list", () => checkAudience({ aud: ["a"] }, ["a"]), "accepted"],
    ["no audience", () => checkAudience({}, ["a"]), "AudienceInvalid"],
    ["jti of 16", () => jtiOf({ jti: "x".repeat(16) }), "accepted"],
    ["jti of 15", () => jtiOf({ jti: "x".repeat(15) }), "JtiInvalid"],
    ["jti of 255", () => jtiOf({ jti: "x".repeat(255) }), "accepted"],
    ["jti of 256", () => jtiOf({ jti: "x".repeat(256) }), "JtiInvalid"],
    ["jti that is no text", () => jtiOf({ jti: 12345678901234567890n }), "JtiInvalid"],
    ["no alg", () => checkHeader({}), "AlgorithmNotAllowed"],
    ["alg that is a list", () => checkHeader({ alg: ["RS256"] }), "AlgorithmNotAllowed"],
    ["typ in lower case", () => checkHeader({ alg: "RS256", typ: "jwt" }), "TypeNotAllowed"],
    ["crit of b64", () => checkHeader({ alg: "RS256", crit: ["b64"], b64: false }), "CriticalHeaderRefused"],
    ["sub that is an object", () => subjectOf({ sub: { $ne: null } }), "ClientUnknown"],
    ["no iss", () => checkParties({ sub: "a" }, null), "IssuerMismatch"],
    ["no audience in a list", () => checkAudience({ aud: [] }, ["a"]), "AudienceInvalid"],
    ["no jti", () => jtiOf({}), "JtiInvalid"],
    ["typ JWT", () => checkHeader({ alg: "RS256", typ: "JWT" }), "accepted"],
    ["typ of RFC 7523bis", () => checkHeader({ alg: "RS256", typ: "client-authentication+jwt" }), "accepted"],
    ["typ of an access token", () => checkHeader({ alg: "RS256", typ: "at+jwt" }), "TypeNotAllowed"],
    ["sub that is no text", () => subjectOf({ sub: 7 }), "ClientUnknown"],
    ["iss another than sub", () => checkParties({ iss: "a", sub: "b" }, null), "IssuerMismatch"],
    ["client_id the same", () => checkParties({ iss: "a", sub: "a" }, "a"), "accepted"],
  ])("%s", (_name, run, expected) => expect(reasonOf(run)).toBe(expected));

  test.each(["none", "None", "rs256", "HS256", "RS512", "PS256", "ES256", "EdDSA"])("alg %s", (alg) =>
    expect(reasonOf(() => checkHeader({ alg }))).toBe("AlgorithmNotAllowed"),
  );

  test("a JWT is taken apart into header, claims, what is signed, and the signature", () => {
    const [header, claims] = ['{"alg":"RS256"}', '{"sub":"a"}'].map((text) =>
      Buffer.from(text).toString("base64url"),
    );
    expect(decodeAssertion(`${header}.${claims}.c2ln`)).toEqual({
      header: { alg: "RS256" },
      claims: { sub: "a" },
      signed: Buffer.from(`${header}.${claims}`),
      signature: Buffer.from("sig"),
    });
  });

  test.each(["null", "7", '"text"', "[]", "{", ""])("a header that is %j: malformed", (text) => {
    const part = Buffer.from(text).toString("base64url");
    expect(reasonOf(() => decodeAssertion(`${part}.e30.c2ln`))).toBe("AssertionMalformed");
    expect(reasonOf(() => decodeAssertion(`e30.${part}.c2ln`))).toBe("AssertionMalformed");
  });

  test.each(["e30.e30", "e30.e30.", "e30.e30.c2ln.c2ln", "e30.e30.c2ln=", "e3 0.e30.c2ln", "e30.e30.c2ln\n"])(
    "%j: malformed",
    (text) => expect(reasonOf(() => decodeAssertion(text))).toBe("AssertionMalformed"),
  );

  test("an absent alg is shown as absent", () => {
    expect(() => checkHeader({})).toThrow("The alg header must be RS256, not absent.");
  });

  test("any three parts: decoded, or refused as malformed, and nothing else", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.base64String()).map((parts) => parts.join(".")),
        ),
        (text) => {
          expect(["accepted", "AssertionMalformed"]).toContain(reasonOf(() => decodeAssertion(text)));
        },
      ),
    ));

  test("a text of an attacker is shown short and on one line", () => {
    const alg = `none\n${"x".repeat(500)}`;
    expect(() => checkHeader({ alg })).toThrow(/^The alg header must be RS256, not "none\\nx{1,40}\.$/);
  });
});

describe("usableCertificates", () => {
  const certificate = (change: Partial<ClientCertificate>): ClientCertificate => ({
    thumbprint: "a",
    notBefore: 0,
    notAfter: 100,
    publicKey: generateKeyPairSync("ed25519").publicKey,
    keyProblem: null,
    ...change,
  });
  const pick = (all: ClientCertificate[], thumbprint?: string) => () =>
    usableCertificates(all, thumbprint, 50).map((each) => each.thumbprint);

  test("expired ones are left out while another is good", () => {
    expect(pick([certificate({ notAfter: 50 }), certificate({ thumbprint: "b" })])()).toEqual(["b"]);
  });
  test("the refusal differs: no certificate is registered, or not the named one", () => {
    expect(pick([])).toThrow("No certificate is registered.");
    expect(pick([certificate({})], "z")).toThrow("not registered");
  });
  test("x5t#S256 picks one", () => {
    expect(pick([certificate({}), certificate({ thumbprint: "b" })], "b")()).toEqual(["b"]);
  });
  test.each<[string, ClientCertificate[], string | undefined, string]>([
    ["none registered", [], undefined, "CertificateMissing"],
    ["the named one is not there", [certificate({})], "z", "CertificateMissing"],
    ["expired", [certificate({ notAfter: 50 })], undefined, "CertificateExpired"],
    ["valid from now on", [certificate({ notBefore: 50 })], undefined, "accepted"],
    ["not valid yet", [certificate({ notBefore: 51 })], undefined, "CertificateNotYetValid"],
    ["a bad key", [certificate({ keyProblem: "bad" })], undefined, "KeyNotAllowed"],
    [
      "the named one expired, another good",
      [certificate({ notAfter: 1 }), certificate({ thumbprint: "b" })],
      "a",
      "CertificateExpired",
    ],
  ])("%s: %4$s", (_name, all, thumbprint, reason) => expect(reasonOf(pick(all, thumbprint))).toBe(reason));
});
