/** The Standard Webhooks signature: base64 HMAC-SHA256 over `<eventId>.<timestamp>.<raw body>`. */
import { createHmac } from "node:crypto";

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

export function sign(secret: string, { eventId, timestampSeconds, body }: SignedContent): string {
  const encoded = SECRET.exec(secret)?.[1];
  if (!encoded) throw new Error("A signing secret is not of the form whsec_<base64>.");
  return createHmac("sha256", Buffer.from(encoded, "base64"))
    .update(`${eventId}.${timestampSeconds}.`)
    .update(body)
    .digest("base64");
}
