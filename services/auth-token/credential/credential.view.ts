/** A credential as the dashboard shows it. */

import type { AuditFact, AuditFacts } from "../../../shared/contract/answers/audit.ts";
import type { CredentialView } from "../../../shared/contract/answers/credential.ts";
import type { CredentialFacts } from "./credential.model.ts";

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

/** Null when nothing was changed. */
export const credentialFact = (
  action: string,
  before: CredentialFacts | null,
  after: CredentialFacts,
): AuditFact | null =>
  before?.version === after.version
    ? null
    : {
        action,
        partnerId: after.partnerId,
        subject: after._id,
        before: before && factsOf(before),
        after: factsOf(after),
      };

const factsOf = ({ clientId, status, certificates }: CredentialFacts): AuditFacts => ({
  clientId,
  status,
  thumbprints: certificates.map(({ thumbprint }) => thumbprint),
});
