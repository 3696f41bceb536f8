/** Keys and revocations that every gateway fetches from the auth-token service every two seconds. */
export type TrustState = {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
  /** Credentials revoked so recently that their tokens may not have expired. */
  revokedCredentialIds: readonly string[];
  /** Ids by `certificateId` of certificates removed as recently. */
  removedCertificateIds: readonly string[];
  inactivePartnerIds: readonly string[];
};
