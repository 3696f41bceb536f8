import type { ValidationSchema } from "../../shared/validation.ts";

export const tokenForm: ValidationSchema = {
  grant_type: { type: "enum", values: ["client_credentials"] },
  client_assertion_type: {
    type: "enum",
    values: ["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
  },
  client_assertion: {
    type: "string",
    $$meta: { description: "a JWT signed RS256 with the key of a registered certificate" },
  },
  scope: {
    type: "string",
    optional: true,
    $$meta: { description: "partner.read, partner.write or both; both when left out" },
  },
  client_id: { type: "string", optional: true, $$meta: { description: "if given, the same as sub" } },
};

export const tokenValue = {
  type: "object",
  required: ["access_token", "token_type", "expires_in", "scope"],
  properties: {
    access_token: { type: "string" },
    token_type: { const: "Bearer" },
    expires_in: { const: 300 },
    scope: { type: "string" },
  },
};

export const tokenExample = {
  access_token: "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.…",
  token_type: "Bearer",
  expires_in: 300,
  scope: "partner.read partner.write",
};

export const keySetValue = {
  type: "object",
  required: ["keys"],
  properties: {
    keys: {
      type: "array",
      items: {
        type: "object",
        required: ["kty", "crv", "x", "kid", "alg", "use"],
        properties: {
          kty: { const: "OKP" },
          crv: { const: "Ed25519" },
          x: { type: "string" },
          kid: { type: "string" },
          alg: { const: "EdDSA" },
          use: { const: "sig" },
        },
      },
    },
  },
};

const texts = { type: "array", items: { type: "string" } };

export const metadataValue = {
  type: "object",
  required: ["issuer", "token_endpoint", "jwks_uri"],
  properties: {
    issuer: { type: "string", format: "uri" },
    token_endpoint: { type: "string", format: "uri" },
    jwks_uri: { type: "string", format: "uri" },
    grant_types_supported: texts,
    response_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    token_endpoint_auth_signing_alg_values_supported: texts,
    scopes_supported: texts,
    service_documentation: { type: "string", format: "uri" },
  },
};
