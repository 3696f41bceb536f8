/** Webhooks: the signature is checked, then the event has its type. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { WebhookError } from "./errors.ts";
import type { WebhookEvent } from "./types.ts";

/** Headers of the request as Node, Express or fetch have them, names in any case. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>> | Headers;

/** An older or newer request may be a replayed recording. */
const TOLERANCE_SECONDS = 300;

/**
 * Returns the event, or throws a WebhookError. `body` is the raw body, unchanged. Give several secrets while you rotate.
 * Ignore event types that this package does not have.
 */
export function unwrap(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  nowSeconds = Math.floor(Date.now() / 1_000),
): WebhookEvent {
  const read = reader(headers);
  const id = read("webhook-id");
  const timestamp = read("webhook-timestamp");
  if (!id || !/^\d{1,12}$/.test(timestamp)) throw new WebhookError("The headers of a webhook are missing.");
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookError("The webhook is more than five minutes away from this machine's clock.");
  const given = read("webhook-signature")
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length), "base64"));
  const secrets = typeof secret === "string" ? [secret] : secret;
  const isSigned = secrets.some((one) => {
    const key = Buffer.from(one.replace(/^whsec_/, ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
    return given.some(
      (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
    );
  });
  if (!isSigned) throw new WebhookError("The webhook was not signed with this secret.");
  return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as WebhookEvent;
}

function reader(headers: WebhookHeaders): (name: string) => string {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? "";
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) => String(lower[name] ?? "");
}
