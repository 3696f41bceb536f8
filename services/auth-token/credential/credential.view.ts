import type { CredentialFacts, TokenFailure } from "./credential.model.ts";

/** A credential as the dashboard shows it. */
export const credentialView = ({
  _id,
  clientId,
  status,
  createdAt,
  revokedAt,
  certificates,
}: CredentialFacts) => ({
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

export const failureView = ({ at, reason, message, requestId }: TokenFailure) => ({
  at: at.toISOString(),
  reason,
  message,
  requestId,
});
