/** The headers of one webhook request. */
import { type SignedContent, signatureHeader } from "./signature.rules.ts";

export type HeaderInput = {
  secrets: readonly string[];
  eventType: string;
  eventVersion: number;
  deliveryId: string;
  attemptNo: number;
  isReplay: boolean;
};

const USER_AGENT = "Partner-Onboarding-Webhooks/1";

export function attemptHeaders(input: HeaderInput, content: SignedContent): Record<string, string> {
  if (input.secrets.length === 0) throw new Error("A webhook is never sent without a signature.");
  const timestamp = String(content.timestampSeconds);
  const signature = signatureHeader(input.secrets, content);
  return {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "Svc-Event-Id": printable("Svc-Event-Id", content.eventId),
    "Svc-Event-Type": printable("Svc-Event-Type", input.eventType),
    "Svc-Delivery-Id": printable("Svc-Delivery-Id", input.deliveryId),
    "Svc-Event-Version": String(input.eventVersion),
    "Svc-Attempt": String(input.attemptNo),
    "Svc-Timestamp": timestamp,
    "Svc-Signature": signature,
    ...(input.isReplay ? { "Svc-Replay": "true" } : {}),
    // The names that the libraries of Standard Webhooks read.
    "webhook-id": content.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  };
}

const PRINTABLE = /^[\x20-\x7e]+$/;

/** Prevents header injection; the other headers are numbers, and signatures in base64. */
function printable(name: string, value: string): string {
  if (!PRINTABLE.test(value)) throw new Error(`The header ${name} would hold an unprintable character.`);
  return value;
}
