/** Checks the signature of a webhook. No dependency but Node's crypto; copy it into your receiver. */
import { createHmac, timingSafeEqual } from "node:crypto";

export type SignedRequest = {
  /** Headers of the request, names in any case. */
  headers: Record<string, string | undefined>;
  /** The raw body, byte for byte as it came: do not parse and serialise it before. */
  body: string | Uint8Array;
};

/** A request older or newer than this may be a recorded one that somebody sends again. */
const TOLERANCE_SECONDS = 300;

/**
 * True when the request was signed with this secret ("whsec_…"). A delivery carries a signature for each secret in
 * force, so a receiver may hold the newest one or one that was replaced less than 24 hours ago.
 */
export function verifyWebhook(
  { headers, body }: SignedRequest,
  secret: string,
  nowSeconds = Math.floor(Date.now() / 1_000),
): boolean {
  const read = lowerCased(headers);
  const eventId = read["svc-event-id"] ?? "";
  const timestamp = read["svc-timestamp"] ?? "";
  const signatures = read["svc-signature"] ?? "";
  if (!eventId || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;

  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${eventId}.${timestamp}.`).update(body).digest();
  return signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

const lowerCased = (headers: SignedRequest["headers"]): SignedRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
