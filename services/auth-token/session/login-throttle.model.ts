/** Counted login attempts. */
export type LoginThrottle = {
  _id: string;
  /** Attempts so far; a successful one is not counted. */
  tries: number;
  blockedUntil: Date;
  expiresAt: Date;
};
