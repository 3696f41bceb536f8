/** The Standard Webhooks signature: base64 HMAC-SHA256 over `<eventId>.<timestamp>.<raw body>`. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const VERSION = "v1";

export type SignedContent = { eventId: string; timestampSeconds: number; body: Uint8Array };

/** A secret with an end is the previous one of a rotation. */
export type TimedSecret = { notAfter: string | null };

/** Judged at the moment of signing, so the overlap ends on time also for retries planned inside it. */
export const secretsInForce = <T extends TimedSecret>(secrets: readonly T[], nowMs: number): T[] =>
  secrets.filter(({ notAfter }) => notAfter === null || Date.parse(notAfter) > nowMs);

/** One signature a secret, newest first, separated by a space. */
export const signatureHeader = (secrets: readonly string[], content: SignedContent): string =>
  secrets.map((secret) => `${VERSION},${sign(secret, content)}`).join(" ");

export const sign = (secret: string, { eventId, timestampSeconds, body }: SignedContent): string =>
  createHmac("sha256", keyOf(secret)).update(`${eventId}.${timestampSeconds}.`).update(body).digest("base64");

/** Making a key was measured to cost ten times the signature. */
const keys = new Map<string, KeyObject>();
const MOST_KEYS = 2_000;

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const encoded = SECRET.exec(secret)?.[1];
  if (!encoded) throw new Error("A signing secret is not of the form whsec_<base64>.");
  const key = createSecretKey(Buffer.from(encoded, "base64"));
  if (keys.size >= MOST_KEYS) keys.clear();
  keys.set(secret, key);
  return key;
}
