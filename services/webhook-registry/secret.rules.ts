/** The signing secrets of an endpoint: the newest, and each earlier secret for a day after it was replaced. */
import { HOUR_MS, SECRET_OVERLAP_HOURS } from "../../shared/contract/durations.ts";

export type StoredSecret = {
  id: string;
  sealed: string;
  createdAt: Date;
  /** Set when a newer secret took over: until then deliveries carry its signature, too. */
  notAfter: Date | null;
};

export const SECRET_BYTES = 32;
/** Every secret in force is a signature in each delivery's header, and headers have a limit at many receivers. */
export const MAX_SECRETS = 5;

export const secretText = (random: Uint8Array): string => {
  if (random.byteLength !== SECRET_BYTES) throw new Error(`A secret has ${SECRET_BYTES} bytes.`);
  return `whsec_${Buffer.from(random).toString("base64")}`;
};

/** Secrets that were replaced earlier keep their own end. Null when too many are in force already. */
export function rotate(
  secrets: readonly StoredSecret[],
  next: StoredSecret,
  now: Date,
): StoredSecret[] | null {
  const [current, ...replaced] = withoutExpired(secrets, now);
  if (!current) return [next];
  if (replaced.length + 1 >= MAX_SECRETS) return null;
  return [
    next,
    { ...current, notAfter: new Date(now.getTime() + SECRET_OVERLAP_HOURS * HOUR_MS) },
    ...replaced,
  ];
}

export const withoutExpired = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ notAfter }) => notAfter === null || notAfter.getTime() > now.getTime());
