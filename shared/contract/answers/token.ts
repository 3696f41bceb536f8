/** The answers of the token endpoint, its key set (RFC 7517, RFC 8037) and its metadata (RFC 8414). */
import { type Answer, always, list, record, text, uri } from "../answer-schema.ts";
import { ACCESS_TOKEN_SECONDS } from "../durations.ts";

export const tokenValue = record({
  access_token: text,
  token_type: always("Bearer"),
  expires_in: always(ACCESS_TOKEN_SECONDS),
  scope: text,
});
export type TokenAnswer = Answer<typeof tokenValue>;

export const tokenExample = {
  access_token: "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.…",
  token_type: "Bearer",
  expires_in: ACCESS_TOKEN_SECONDS,
  scope: "partner.read partner.write",
};

export const keySetValue = record({
  keys: list(
    record({
      kty: always("OKP"),
      crv: always("Ed25519"),
      x: text,
      kid: text,
      alg: always("EdDSA"),
      use: always("sig"),
    }),
  ),
});
export type PublicJwk = Answer<typeof keySetValue>["keys"][number];

export const metadataValue = record({
  issuer: uri,
  token_endpoint: uri,
  jwks_uri: uri,
  grant_types_supported: list(text),
  response_types_supported: list(text),
  token_endpoint_auth_methods_supported: list(text),
  token_endpoint_auth_signing_alg_values_supported: list(text),
  scopes_supported: list(text),
  service_documentation: uri,
});
export type ServerMetadata = Answer<typeof metadataValue>;
