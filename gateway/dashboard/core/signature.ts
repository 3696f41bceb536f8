/** Checks a webhook signature in the page: nothing leaves it. */

/** 32 bytes in base64. */
const SECRET = /^whsec_([A-Za-z0-9+/]{43}=)$/;

export type SignedRequest = {
  eventId: string;
  timestamp: string;
  signature: string;
  body: string;
  secret: string;
};
export type Verdict = { isValid: boolean; reasons: string[] };

const TOLERANCE_SECONDS = 300;

export async function checkSignature(given: SignedRequest, nowMs: number): Promise<Verdict> {
  const { eventId, timestamp, signature, body, secret } = given;
  const encoded = SECRET.exec(secret)?.[1];
  if (!encoded)
    return refused(
      secret.startsWith("whsec_")
        ? "The secret is incomplete or changed: 43 characters and one = must follow whsec_. Copy it again."
        : "The secret must begin with whsec_.",
    );
  if (!/^\d+$/.test(timestamp)) return refused("Svc-Timestamp must be a number of whole seconds.");
  const signatures = signature.split(" ").filter(Boolean);
  if (!signatures.some((each) => each.startsWith("v1,")))
    return refused("Svc-Signature has no signature of version v1.");
  const expected = await sign(encoded, `${eventId}.${timestamp}.${body}`);
  const isSame = signatures.includes(`v1,${expected}`);
  const age = Math.abs(nowMs / 1_000 - Number(timestamp));
  const reasons = isSame ? [] : [await whatDiffers(encoded, given, signatures)];
  if (age > TOLERANCE_SECONDS)
    reasons.push(
      `The timestamp differs from now by ${Math.round(age)} s. Receivers refuse more than ${TOLERANCE_SECONDS} s.`,
    );
  return { isValid: isSame, reasons };
}

const refused = (reason: string): Verdict => ({ isValid: false, reasons: [reason] });

/** The mistakes that are made most: a body that was changed on its way into the check. */
const MISTAKES: readonly (readonly [undo: (body: string) => string, reason: string])[] = [
  [(body) => body.trim(), "The body has white space at its start or end that was not sent. Remove it."],
  [(body) => reserialized(body), "The body was parsed and written again. Check the raw bytes instead."],
  [(body) => `${body}\n`, "A line break at the end of the body is missing. Add it."],
];

async function whatDiffers(
  key: string,
  given: SignedRequest,
  signatures: readonly string[],
): Promise<string> {
  const { eventId, timestamp, body } = given;
  for (const [undo, reason] of MISTAKES)
    if (signatures.includes(`v1,${await sign(key, `${eventId}.${timestamp}.${undo(body)}`)}`)) return reason;
  return "The signature does not match this body, id, timestamp and secret.";
}

function reserialized(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

async function sign(encodedKey: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(encodedKey), (each) => each.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signed)));
}
