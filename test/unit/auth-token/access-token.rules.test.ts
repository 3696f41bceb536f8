import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import { signAccessToken, tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";
import { issuerFacts, serverMetadata } from "../../../services/auth-token/token/metadata.rules.ts";

test("the metadata: what RFC 8414 asks for, under the base URL", () => {
  const facts = issuerFacts("https://a.example");
  expect(facts).toEqual({
    issuer: "https://a.example",
    tokenUrl: "https://a.example/oauth2/token",
    audiences: ["https://a.example", "https://a.example/oauth2/token"],
    audience: "https://a.example/api",
  });
  expect(serverMetadata(facts)).toEqual({
    issuer: "https://a.example",
    token_endpoint: "https://a.example/oauth2/token",
    jwks_uri: "https://a.example/oauth2/jwks",
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["partner.read", "partner.write"],
    service_documentation: "https://a.example/docs",
  });
});

// The other claims and the signature: integration/auth/token-table and signing-keys.
test.each([true, false])("a token of a test partner, %s: says so", (isTest) => {
  const facts = {
    ...{
      issuer: "https://issuer.example",
      audience: "partner-api",
      clientId: "client",
      partnerId: "partner",
    },
    ...{ scopes: ["partner.read"] as const, isTest, jti: "credential.1", nowSeconds: 1_000 },
  };
  const signer = tokenSigner("key-1", generateKeyPairSync("ed25519").privateKey);
  const [header, read] = signAccessToken(facts, signer)
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  expect(header).toEqual({ alg: "EdDSA", typ: "at+jwt", kid: "key-1" });
  expect(read).toMatchObject({ iat: 1_000, exp: 1_300 });
  expect(read.test).toBe(isTest ? true : undefined);
});
