/** Keys and revocations that every gateway fetches from the auth-token service every two seconds. */
export type TrustState = {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
  /** Only those revoked so recently that their tokens may not have expired. */
  revokedCredentialIds: readonly string[];
  /** Of certificates removed as recently, as `certificateId` makes them; an older release sends none. */
  removedCertificateIds?: readonly string[];
  inactivePartnerIds: readonly string[];
};
