/** The names of the token service and its metadata document. */
import type { ServerMetadata } from "../../../shared/contract/answers/token.ts";
import { SCOPES } from "../../../shared/identity/caller.ts";

export type IssuerFacts = ReturnType<typeof issuerFacts>;

export const issuerFacts = (baseUrl: string) => ({
  issuer: baseUrl,
  tokenUrl: `${baseUrl}/oauth2/token`,
  /** An assertion names exactly one of these. */
  audiences: [baseUrl, `${baseUrl}/oauth2/token`],
  /** The audience of the access tokens. */
  audience: `${baseUrl}/api`,
});

export const serverMetadata = ({ issuer, tokenUrl }: IssuerFacts): ServerMetadata => ({
  issuer,
  token_endpoint: tokenUrl,
  jwks_uri: `${issuer}/oauth2/jwks`,
  grant_types_supported: ["client_credentials"],
  // Empty without an authorization endpoint. RFC 8414 requires it (2) and wants empty lists left out (3.2); clients that
  // validate it (Authlib) refuse both, and openid-client, Nimbus and Spring accept the list.
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
  token_endpoint_auth_signing_alg_values_supported: ["RS256"],
  scopes_supported: SCOPES,
  service_documentation: `${issuer}/docs`,
});
