/** Documentation of the token endpoint and its metadata. */

import { tokenForm } from "../../../services/auth-token/auth-token.schemas.ts";
import { tokenExample } from "../../../shared/contract/answers/token.ts";
import { ACCESS_TOKEN_SECONDS } from "../../../shared/contract/durations.ts";
import type { DocsOf } from "../route-doc.ts";

export const tokenDocs: DocsOf<"Tokens"> = {
  "auth-token.issueTokens": {
    summary: "Exchange a signed client assertion for an access token",
    description: [
      "OAuth 2.0 client credentials with private_key_jwt (RFC 6749, RFC 7523). Sign the assertion with RS256. iss and sub are your",
      "client id; aud is one value, the issuer or this URL; exp is at most 3,600 s ahead; jti has 16 to 255 characters and is used once.",
      `A token lasts ${ACCESS_TOKEN_SECONDS} seconds. Every failed authentication gets the same 401 invalid_client. The dashboard shows the reason, under the`,
      "token failures of the API client. No assertion, or another method such as client_secret or HTTP Basic, is also 401",
      "invalid_client, with WWW-Authenticate if the request had an Authorization header. An assertion together with another method,",
      "or a repeated parameter, is 400 invalid_request. Other refusals are 400 unsupported_grant_type and invalid_scope, and",
      "429 and 503 temporarily_unavailable.",
    ].join("\n"),
    body: tokenForm,
    bodyExample: {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJhbGciOiJSUzI1NiJ9.…",
    },
    valueExample: tokenExample,
    failures: {
      400: "invalid_request, unsupported_grant_type, invalid_scope",
      401: "invalid_client",
      429: "temporarily_unavailable",
      503: "temporarily_unavailable",
    },
  },
  "auth-token.keySet": { summary: "Read the public keys of the access tokens" },
  "auth-token.metadata": { summary: "Read the authorization server metadata (RFC 8414)" },
};
