import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import { signAccessToken, tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";

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
  const [, claims = ""] = signAccessToken(facts, signer).split(".");
  const read = JSON.parse(Buffer.from(claims, "base64url").toString());
  expect(read).toMatchObject({ iat: 1_000, exp: 1_300 });
  expect(read.test).toBe(isTest ? true : undefined);
});
