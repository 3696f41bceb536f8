import { generateKeyPairSync, verify } from "node:crypto";
import { expect, test } from "@jest/globals";
import { signAccessToken, tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";

test("a token names its key and says whose it is, for whom and how long, and the signature is over all of it", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const facts = {
    issuer: "https://issuer.example",
    audience: "partner-api",
    clientId: "client",
    partnerId: "partner",
    scopes: ["partner.read", "partner.write"] as const,
    isTest: false,
    jti: "credential.1",
    nowSeconds: 1_000,
  };
  const token = signAccessToken(facts, tokenSigner("key-1", privateKey));
  const [header = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(read(header)).toEqual({ alg: "EdDSA", typ: "at+jwt", kid: "key-1" });
  expect(read(claims)).toEqual({
    iss: "https://issuer.example",
    sub: "client",
    client_id: "client",
    aud: "partner-api",
    iat: 1_000,
    exp: 1_300,
    jti: "credential.1",
    scope: "partner.read partner.write",
    partner_id: "partner",
  });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify(null, signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
  const claimsOfTest = signAccessToken({ ...facts, isTest: true }, tokenSigner("key-1", privateKey)).split(
    ".",
  )[1];
  expect(read(claimsOfTest ?? "")).toEqual({ ...read(claims), test: true });
});
