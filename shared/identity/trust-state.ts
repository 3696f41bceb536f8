/** What the auth-token service tells every gateway every two seconds. */
export type TrustState = {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
  /** Revoked so recently that tokens made with them may still be in use. */
  revokedCredentialIds: readonly string[];
  inactivePartnerIds: readonly string[];
};
