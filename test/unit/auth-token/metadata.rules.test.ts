import { expect, test } from "@jest/globals";
import { issuerFacts, serverMetadata } from "../../../services/auth-token/token/metadata.rules.ts";

const facts = {
  issuer: "https://onboarding.example",
  tokenUrl: "https://onboarding.example/oauth2/token",
  audiences: ["https://onboarding.example", "https://onboarding.example/oauth2/token"],
  audience: "https://onboarding.example/api",
};

test("issuerFacts: everything follows from the base URL", () => {
  expect(issuerFacts("https://onboarding.example")).toEqual(facts);
});

test("serverMetadata: says where and how a token is asked for (RFC 8414)", () => {
  expect(serverMetadata(facts)).toEqual({
    issuer: "https://onboarding.example",
    token_endpoint: "https://onboarding.example/oauth2/token",
    jwks_uri: "https://onboarding.example/oauth2/jwks",
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["partner.read", "partner.write"],
    service_documentation: "https://onboarding.example/docs",
  });
});
