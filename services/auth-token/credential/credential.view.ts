/** A credential as the dashboard shows it. */
import type { CredentialView, TokenFailureView } from "../../../shared/action-types/auth-token.ts";
import type { CredentialFacts, TokenFailure } from "./credential.model.ts";

export const credentialView = ({
  _id,
  clientId,
  status,
  createdAt,
  revokedAt,
  certificates,
}: CredentialFacts): CredentialView => ({
  id: _id,
  clientId,
  status,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString() ?? null,
  certificates: certificates.map(({ thumbprint, subject, notBefore, notAfter }) => ({
    thumbprint,
    subject,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
  })),
});

export const failureView = ({ at, reason, message, requestId }: TokenFailure): TokenFailureView => ({
  at: at.toISOString(),
  reason,
  message,
  requestId,
});
