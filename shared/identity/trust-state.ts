/** Keys and revocations that every gateway fetches from the auth-token service every two seconds. */
export type TrustState = {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
  /** Only those revoked so recently that their tokens may not have expired. */
  revokedCredentialIds: readonly string[];
  /** Ids of recently removed certificates, as `certificateId` makes them. */
  removedCertificateIds?: readonly string[];
  inactivePartnerIds: readonly string[];
};
