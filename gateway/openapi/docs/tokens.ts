/** Documentation of the token endpoint and its metadata. */

import { tokenForm } from "../../../services/auth-token/auth-token.schemas.ts";
import {
  keySetValue,
  metadataValue,
  tokenExample,
  tokenValue,
} from "../../../shared/contract/answers/token.ts";
import { ACCESS_TOKEN_SECONDS } from "../../../shared/contract/durations.ts";
import type { DocsOf } from "../route-doc.ts";

export const tokenDocs: DocsOf<"Tokens"> = {
  "auth-token.issueTokens": {
    summary: "Exchange a signed client assertion for an access token",
    description: [
      "OAuth 2.0 client credentials with private_key_jwt (RFC 6749, RFC 7523). The assertion: alg RS256; iss and sub are your client",
      "id; aud is exactly one value, the issuer or this URL; exp at most 3,600 s ahead; jti of 16 to 255 characters, used once.",
      `A token lasts ${ACCESS_TOKEN_SECONDS} seconds. Every failed authentication is answered by the same 401 invalid_client; the true reason is in the`,
      "dashboard, under the API client's token failures. A request without an assertion, or with another method such as client_secret",
      "or HTTP Basic, is 401 invalid_client too; after an Authorization header it carries WWW-Authenticate. A second method beside an",
      "assertion and a repeated parameter are 400 invalid_request. Other refusals: 400 unsupported_grant_type and invalid_scope;",
      "429 and 503 temporarily_unavailable.",
    ].join("\n"),
    body: tokenForm,
    bodyExample: {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "eyJhbGciOiJSUzI1NiJ9.…",
    },
    value: tokenValue,
    valueExample: tokenExample,
    failures: {
      400: "invalid_request, unsupported_grant_type, invalid_scope",
      401: "invalid_client",
      429: "temporarily_unavailable",
      503: "temporarily_unavailable",
    },
  },
  "auth-token.keySet": { summary: "Public keys of the access tokens", value: keySetValue },
  "auth-token.metadata": { summary: "Authorization server metadata (RFC 8414)", value: metadataValue },
};
