/** Documentation of a partner's API client and its certificates, and of what it asked. */

import { certificateBody, failedQuery } from "../../../services/auth-token/auth-token.schemas.ts";
import {
  credentialExample,
  credentialListValue,
  credentialValue,
  tokenFailuresExample,
  tokenFailuresValue,
} from "../../../shared/contract/answers/credential.ts";
import { requestLogExample, requestLogValue } from "../../../shared/contract/answers/request-log.ts";
import { newestFirstQuery } from "../../../shared/input/newest-first.rules.ts";
import type { DocsOf } from "../route-doc.ts";

const bodyExample = { certificate: "-----BEGIN CERTIFICATE-----\nMIID…\n-----END CERTIFICATE-----\n" };

export const apiCredentialDocs: DocsOf<"API credentials"> = {
  "auth-token.listRequests": {
    summary: "The requests of the API client in the last seven days",
    description: [
      "Newest first, a few seconds late: route, status, error code, the names of the fields at fault, never a body or a value.",
      "A flood is not kept whole: at most 50 successes and 100 requests a second of each gateway, and `dropped` says how many",
      "are missing. Requests with a token that was refused are in no log: see token-failures.",
    ].join("\n"),
    query: { ...newestFirstQuery, ...failedQuery },
    value: requestLogValue,
    valueExample: requestLogExample,
    errors: ["ValidationControl.Error"],
  },
  "auth-token.listCredentials": {
    summary: "The API client of the partner",
    description: "The client in force first, then those revoked.",
    value: credentialListValue,
    valueExample: { items: [credentialExample] },
  },
  "auth-token.createCredential": {
    summary: "Make the API client with its first certificate",
    description: "A partner has one API client. After a revoke this makes it anew, with the same client id.",
    body: certificateBody,
    bodyExample,
    value: credentialValue,
    valueExample: credentialExample,
    errors: ["Certificate.Invalid", "ApiCredential.Exists"],
  },
  "auth-token.addCertificate": {
    summary: "Add a certificate, for rotation",
    description: "At most two certificates are in force at once; tokens can be had with either.",
    body: certificateBody,
    bodyExample,
    value: credentialValue,
    valueExample: credentialExample,
    errors: ["Certificate.Invalid", "Certificate.LimitReached", "ApiCredential.NotFound"],
  },
  "auth-token.removeCertificate": {
    summary: "Remove a certificate",
    description:
      "No more tokens with it at once; tokens that were asked for with it are refused within five seconds.",
    value: credentialValue,
    valueExample: { ...credentialExample, certificates: [] },
    errors: ["Certificate.NotFound", "ApiCredential.NotFound"],
  },
  "auth-token.revokeCredential": {
    summary: "Revoke the API client",
    description: "No more tokens at once; tokens already issued are refused within five seconds.",
    value: credentialValue,
    valueExample: { ...credentialExample, status: "Revoked", revokedAt: "2026-01-16T08:00:00.000Z" },
    errors: ["ApiCredential.NotFound"],
  },
  "auth-token.listTokenFailures": {
    summary: "Why recent token requests were refused",
    description: "The last 50, newest first. The token endpoint itself never tells the reason.",
    value: tokenFailuresValue,
    valueExample: tokenFailuresExample,
    errors: ["ApiCredential.NotFound"],
  },
};
