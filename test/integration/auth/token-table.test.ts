/** Every way to ask for a token, with the exact answer, and the true reason in the partner's own list. */
import { createPrivateKey, createPublicKey, sign, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { makePartnerKeys, type PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { type AssertionWish, hmacWith, tokenForm } from "../../support/builders/assertions.ts";
import { type Answer, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

let stranger: PartnerKeys;

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner("Acme Trading Ltd"));
beforeAll(async () => {
  stranger = await makePartnerKeys({ commonName: "Stranger" });
});

const seconds = (): number => Math.floor(stage.clock.now() / 1_000);
const ask = (wish: Partial<AssertionWish> = {}, extra: Record<string, string> = {}): Promise<Answer> =>
  stage.tokenRequest(tokenForm(stage.assertion(partner, wish), extra));

async function lastFailure(): Promise<{ reason: string; message: string; requestId: string } | undefined> {
  const credentials = stage.database().collection("api_credentials");
  return (await credentials.findOne({ partnerId: partner.partnerId }))?.recentFailures.at(-1);
}

const thumbprintOf = ({ certificatePem }: PartnerKeys): string =>
  Buffer.from(new X509Certificate(certificatePem).fingerprint256.replaceAll(":", ""), "hex").toString(
    "base64url",
  );

const GENERIC = {
  error: "invalid_client",
  error_description:
    "The client could not be authenticated. The dashboard and the operation token-failures show the reason.",
};

describe("an assertion that is right", () => {
  const good: [string, () => Partial<AssertionWish>, Record<string, string>?][] = [
    ["with the issuer as audience", () => ({})],
    ["with the token URL as audience", () => ({ audience: `${stage.issuer}/oauth2/token` })],
    ["without typ", () => ({ header: { typ: undefined } })],
    ["with a kid that names nothing", () => ({ header: { kid: "no-such-key" } })],
    ["with jku, x5u, jwk and x5c that are ignored", () => ({ header: strangersKeyHeaders() })],
    ["with x5t#S256 of its certificate", () => ({ header: { "x5t#S256": thumbprintOf(partner) } })],
    ["without iat and nbf", () => ({ claims: { iat: undefined, nbf: undefined } })],
    ["with its client_id as parameter", () => ({}), { client_id: "(own)" }],
    ["with an empty scope parameter", () => ({}), { scope: "" }],
    ["with a parameter nobody knows", () => ({}), { foo: "bar" }],
  ];

  test.each(good)("%s: a token for 300 s with both scopes", async (_name, wish, extra = {}) => {
    const parameters = extra.client_id ? { client_id: partner.clientId } : extra;
    const answer = await ask(wish(), parameters);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: "Bearer",
      expires_in: 300,
      scope: "partner.read partner.write",
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["partner.read", "partner.write"])(
    "asking for %s alone: a token with that scope",
    async (scope) => {
      const answer = await ask({}, { scope });
      expect([answer.status, answer.body.scope]).toEqual([200, scope]);
    },
  );

  test("the token is an at+jwt of RFC 9068 signed with EdDSA", async () => {
    const { body } = await ask();
    const [header, claims] = String(body.access_token).split(".").slice(0, 2).map(decode);
    expect(header).toEqual({ alg: "EdDSA", typ: "at+jwt", kid: expect.any(String) });
    expect(claims).toEqual({
      iss: stage.issuer,
      sub: partner.clientId,
      client_id: partner.clientId,
      aud: `${stage.issuer}/api`,
      iat: expect.any(Number),
      exp: Number(claims?.iat) + 300,
      jti: expect.any(String),
      scope: "partner.read partner.write",
      partner_id: partner.partnerId,
    });
  });
});

describe("an assertion that is wrong", () => {
  const publicPem = () =>
    createPublicKey(partner.privateKey).export({ type: "spki", format: "pem" }).toString();

  // Each reason has a row, as has each way to bring a foreign key. unit/auth-token/assertion.rules has the other values.
  const bad: [string, string, () => Partial<AssertionWish>][] = [
    ["alg none", "AlgorithmNotAllowed", () => ({ header: { alg: "none" } })],
    [
      "HS256 keyed with the public key",
      "AlgorithmNotAllowed",
      () => ({ header: { alg: "HS256" }, signWith: hmacWith(publicPem()) }),
    ],
    ["typ at+jwt", "TypeNotAllowed", () => ({ header: { typ: "at+jwt" } })],
    ["crit", "CriticalHeaderRefused", () => ({ header: { crit: ["exp"] } })],
    ["another iss", "IssuerMismatch", () => ({ claims: { iss: "somebody-else" } })],
    ["a stranger's key", "SignatureInvalid", () => ({ key: stranger.privateKey })],
    [
      "a stranger's key that jku, x5u, jwk and x5c vouch for",
      "SignatureInvalid",
      () => ({ key: stranger.privateKey, header: strangersKeyHeaders() }),
    ],
    ["a signature of zeros", "SignatureInvalid", () => ({ signWith: () => Buffer.alloc(256) })],
    [
      "RS512 bytes under alg RS256",
      "SignatureInvalid",
      () => ({ signWith: (signed) => sign("sha512", signed, partner.privateKey) }),
    ],
    [
      "x5t#S256 of a certificate that is not registered",
      "CertificateMissing",
      () => ({ header: { "x5t#S256": thumbprintOf(stranger) } }),
    ],
    ["the audience with a slash", "AudienceInvalid", () => ({ audience: `${stage.issuer}/` })],
    ["no exp", "ExpiryInvalid", () => ({ claims: { exp: undefined } })],
    ["exp in the past", "Expired", () => ({ claims: { exp: seconds() - 31 } })],
    ["exp two hours ahead", "ExpiryTooFar", () => ({ claims: { exp: seconds() + 7_200 } })],
    ["nbf in the future", "NotYetValid", () => ({ claims: { nbf: seconds() + 90 } })],
    ["iat in the future", "IssuedInFuture", () => ({ claims: { iat: seconds() + 90 } })],
    ["jti as an object", "JtiInvalid", () => ({ claims: { jti: { $gt: "" } } })],
  ];

  test.each(bad)("%s: 401 with the generic text, and the reason %s on file", async (_name, reason, wish) => {
    const answer = await ask(wish());
    expect({ status: answer.status, ...answer.body }).toEqual({ status: 401, ...GENERIC });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const requestId = answer.headers.get("svc-request-id");
    expect(stage.log.some((line) => line.includes(`"${requestId}"`) && line.includes(reason))).toBe(true);
    expect(await lastFailure()).toMatchObject({ reason, requestId, message: expect.any(String) });
  });

  const unattributed: [string, string, () => Partial<AssertionWish>][] = [
    ["an unknown client", "ClientUnknown", () => ({ clientId: "nobody-000000000000" })],
    ["sub as an object", "ClientUnknown", () => ({ claims: { sub: { $ne: null } } })],
    ["an empty signature", "AssertionMalformed", () => ({ signWith: () => Buffer.alloc(0) })],
  ];

  test.each(unattributed)(
    "%s: 401 with the generic text, and the reason %s in the log",
    async (_name, reason, wish) => {
      const answer = await ask(wish());
      expect({ status: answer.status, ...answer.body }).toEqual({ status: 401, ...GENERIC });
      const requestId = answer.headers.get("svc-request-id");
      expect(stage.log.some((line) => line.includes(`"${requestId}"`) && line.includes(reason))).toBe(true);
      expect((await lastFailure())?.requestId).not.toBe(requestId);
    },
  );

  test("five parts, as an encrypted JWT has: 401 with the generic text", async () => {
    const answer = await stage.tokenRequest(tokenForm("a.b.c.d.e"));
    expect({ status: answer.status, ...answer.body }).toEqual({ status: 401, ...GENERIC });
  });

  test("client_id as a parameter that differs from sub: 401", async () => {
    const answer = await ask({}, { client_id: "other" });
    expect({ status: answer.status, ...answer.body }).toEqual({ status: 401, ...GENERIC });
    expect(await lastFailure()).toMatchObject({ reason: "IssuerMismatch" });
  });
});

/** Everything by which a header can name a key, all naming the stranger's. */
function strangersKeyHeaders(): Record<string, unknown> {
  const key = stranger ?? { privateKey: createPrivateKey(""), certificatePem: "" };
  const der = new X509Certificate(key.certificatePem).raw.toString("base64");
  return {
    kid: "stranger",
    jku: "https://attacker.example/jwks.json",
    x5u: "https://attacker.example/certificate.pem",
    jwk: createPublicKey(key.privateKey).export({ format: "jwk" }),
    x5c: [der],
  };
}

const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, "base64url").toString());
