/** Signs access tokens (RFC 9068) with node:crypto: jose's SignJWT takes 1.6 times the CPU (20,000 tokens, EdDSA). */
import { type KeyObject, sign } from "node:crypto";
import { ACCESS_TOKEN_SECONDS } from "../../../shared/contract/durations.ts";
import type { Scope } from "../../../shared/identity/caller.ts";

export type AccessTokenFacts = {
  issuer: string;
  audience: string;
  clientId: string;
  partnerId: string;
  scopes: readonly Scope[];
  isTest: boolean;
  jti: string;
  nowSeconds: number;
};

export type TokenSigner = { encodedHeader: string; privateKey: KeyObject };

export const tokenSigner = (kid: string, privateKey: KeyObject): TokenSigner => ({
  encodedHeader: encode({ alg: "EdDSA", typ: "at+jwt", kid }),
  privateKey,
});

export function signAccessToken(facts: AccessTokenFacts, { encodedHeader, privateKey }: TokenSigner): string {
  const claims = {
    iss: facts.issuer,
    sub: facts.clientId,
    client_id: facts.clientId,
    aud: facts.audience,
    iat: facts.nowSeconds,
    exp: facts.nowSeconds + ACCESS_TOKEN_SECONDS,
    jti: facts.jti,
    scope: facts.scopes.join(" "),
    partner_id: facts.partnerId,
    ...(facts.isTest ? { test: true } : {}),
  };
  const signed = `${encodedHeader}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed, "latin1"), privateKey).toString("base64url")}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
