/** W3C trace context, carried as one string from the HTTP request to the webhook attempt. */
import { randomUUID } from "node:crypto";

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export const isTraceparent = (value: unknown): value is string =>
  typeof value === "string" && TRACEPARENT.test(value);

/** Goes on with the caller's trace, or begins one. */
export function continueTrace(incoming: unknown): string {
  if (isTraceparent(incoming))
    return `${incoming.slice(0, 36)}${randomHex().slice(0, 16)}${incoming.slice(52)}`;
  return `00-${randomHex()}-${randomHex().slice(0, 16)}-01`;
}

/** 32 digits. Node keeps random bytes for UUIDs in stock; asking for bytes costs ten times as much. */
const randomHex = (): string => randomUUID().replaceAll("-", "");
