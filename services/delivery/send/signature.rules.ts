/** The Standard Webhooks signature: base64 HMAC-SHA256 over `<eventId>.<timestamp>.<raw body>`. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { BoundedMap } from "../../../shared/bounded-map.ts";

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const VERSION = "v1";

export type SignedContent = { eventId: string; timestampSeconds: number; body: Uint8Array };

/** A signature per secret, newest first, separated by a space. */
export const signatureHeader = (secrets: readonly string[], content: SignedContent): string =>
  secrets.map((secret) => `${VERSION},${sign(secret, content)}`).join(" ");

export const sign = (secret: string, { eventId, timestampSeconds, body }: SignedContent): string =>
  createHmac("sha256", keyOf(secret)).update(`${eventId}.${timestampSeconds}.`).update(body).digest("base64");

/** Creating a key was measured to cost ten times the signature. */
const MAX_KEYS = 2_000;
const keys = new BoundedMap<string, KeyObject>(MAX_KEYS);

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const encoded = SECRET.exec(secret)?.[1];
  if (!encoded) throw new Error("A signing secret is not of the form whsec_<base64>.");
  const key = createSecretKey(Buffer.from(encoded, "base64"));
  keys.set(secret, key);
  return key;
}
