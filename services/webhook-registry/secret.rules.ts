/** The signing secrets of an endpoint: one in force, and after a rotation the one before it for a day. */

export type StoredSecret = {
  id: string;
  sealed: string;
  createdAt: Date;
  /** Set when a newer secret took over: until then deliveries carry both signatures. */
  notAfter: Date | null;
};

export const SECRET_BYTES = 32;
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1_000;

export const secretText = (random: Uint8Array): string => {
  if (random.byteLength !== SECRET_BYTES) throw new Error(`A secret has ${SECRET_BYTES} bytes.`);
  return `whsec_${Buffer.from(random).toString("base64")}`;
};

/** The secret in force becomes the previous one; what was previous before is dropped. */
export function rotate(secrets: readonly StoredSecret[], next: StoredSecret, now: Date): StoredSecret[] {
  const [current] = secrets;
  if (!current) return [next];
  return [next, { ...current, notAfter: new Date(now.getTime() + ROTATION_OVERLAP_MS) }];
}

export const withoutExpired = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ notAfter }) => notAfter === null || notAfter.getTime() > now.getTime());
