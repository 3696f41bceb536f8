/** A key that seals receivers' answers; there is one per day. */

export type ExcerptKey = {
  /** The UTC day, such as 2026-11-19. */
  _id: string;
  /** 32 bytes in base64url, encrypted with a field key. */
  sealedKey: string;
  expiresAt: Date;
};
