/** Documentation of a partner's API client and its certificates, and of what it asked. */

import { certificateBody, failedQuery } from "../../../services/auth-token/auth-token.schemas.ts";
import {
  credentialExample,
  requestLogExample,
  tokenFailuresExample,
} from "../../../shared/contract/answers/credential.ts";
import { newestFirstQuery } from "../../../shared/input/newest-first.rules.ts";
import type { DocsOf } from "../route-doc.ts";

const bodyExample = { certificate: "-----BEGIN CERTIFICATE-----\nMIID…\n-----END CERTIFICATE-----\n" };

export const apiCredentialDocs: DocsOf<"API credentials"> = {
  "auth-token.listRequests": {
    summary: "List the requests of the API client in the last seven days",
    description: [
      "Newest first, a few seconds late. An entry has the route, the status, the error code and the names of the invalid fields,",
      "never a body or a value. Each gateway process keeps at most 50 successes and 100 requests a second of a partner;",
      "`dropped` is the number of requests beyond that. Requests with a refused token are not logged.",
    ].join("\n"),
    query: { ...newestFirstQuery, ...failedQuery },
    valueExample: requestLogExample,
  },
  "auth-token.listCredentials": {
    summary: "List the API clients of the partner",
    description: "The active client first, then revoked clients.",
    valueExample: { items: [credentialExample] },
  },
  "auth-token.createCredential": {
    summary: "Create the API client with its first certificate",
    description:
      "A partner has one active API client. After a revocation, this call creates a new client with the same client id.",
    body: certificateBody,
    bodyExample,
    valueExample: credentialExample,
    errors: ["Certificate.Invalid", "ApiCredential.Exists"],
  },
  "auth-token.addCertificate": {
    summary: "Add a certificate, for rotation",
    description: "A client has at most two certificates. Either of them can be used to get tokens.",
    body: certificateBody,
    bodyExample,
    valueExample: credentialExample,
    errors: ["Certificate.Invalid", "Certificate.LimitReached", "ApiCredential.NotFound"],
  },
  "auth-token.removeCertificate": {
    summary: "Remove a certificate",
    description:
      "No new tokens are issued with this certificate. Tokens that were issued with it are refused within five seconds.",
    valueExample: { ...credentialExample, certificates: [] },
    errors: ["Certificate.NotFound", "ApiCredential.NotFound"],
  },
  "auth-token.revokeCredential": {
    summary: "Revoke the API client",
    description: "No new tokens are issued. Tokens that were issued are refused within five seconds.",
    valueExample: { ...credentialExample, status: "Revoked", revokedAt: "2026-01-16T08:00:00.000Z" },
    errors: ["ApiCredential.NotFound"],
  },
  "auth-token.listTokenFailures": {
    summary: "List refused token requests with their reasons",
    description: "The last 50, newest first. The token endpoint itself never returns the reason.",
    valueExample: tokenFailuresExample,
    errors: ["ApiCredential.NotFound"],
  },
};
