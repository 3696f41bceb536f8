/** W3C trace context, carried as one string from the HTTP request to the webhook attempt. */
import { randomBytes } from "node:crypto";

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export const isTraceparent = (value: unknown): value is string =>
  typeof value === "string" && TRACEPARENT.test(value);

/** Goes on with the caller's trace, or begins one. */
export function continueTrace(incoming: unknown): string {
  const spanId = randomBytes(8).toString("hex");
  if (isTraceparent(incoming)) return `${incoming.slice(0, 36)}${spanId}${incoming.slice(52)}`;
  return `00-${randomBytes(16).toString("hex")}-${spanId}-01`;
}
