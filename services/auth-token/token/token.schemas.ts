/** What the token endpoint takes and shows, for the API document. */
import { always, list, record, text, uri } from "../../../shared/contract/answer-schema.ts";
import type { ValidationSchema } from "../../../shared/input/validation.ts";
import { ACCESS_TOKEN_SECONDS } from "./access-token.rules.ts";
import { ASSERTION_TYPE } from "./token-request.rules.ts";

export const tokenForm: ValidationSchema = {
  grant_type: { type: "enum", values: ["client_credentials"] },
  client_assertion_type: { type: "enum", values: [ASSERTION_TYPE] },
  client_assertion: {
    type: "string",
    $$meta: { description: "a JWT signed RS256 with the key of a registered certificate" },
  },
  scope: {
    type: "string",
    optional: true,
    $$meta: { description: "partner.read, partner.write or both; all that the client has when left out" },
  },
  client_id: { type: "string", optional: true, $$meta: { description: "if given, the same as sub" } },
};

export const tokenValue = record({
  access_token: text,
  token_type: always("Bearer"),
  expires_in: always(ACCESS_TOKEN_SECONDS),
  scope: text,
});

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
