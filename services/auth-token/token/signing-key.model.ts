/** A stored key that signs access tokens. */
export type SigningKeyRecord = {
  /** The kid of tokens and of the key set. */
  _id: string;
  /** Rises by one per key; unique, so that two replicas cannot both make the next one. */
  ordinal: number;
  /** The public x of the Ed25519 key (RFC 8037). */
  x: string;
  /** PKCS #8 PEM, encrypted with a field key. */
  sealedPrivateKey: string;
  createdAt: Date;
  /** Published before it signs, so that every gateway knows it in time. */
  signsFrom: Date;
};
