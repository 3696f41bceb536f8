/** W3C trace context, passed as one string from the HTTP request to the webhook attempt. */
import { randomUUID } from "node:crypto";

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export const isTraceparent = (value: unknown): value is string =>
  typeof value === "string" && TRACEPARENT.test(value);

/** As logs and tracing systems name it. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** Continues a trace or starts one. The digits are those of a UUID: random bytes cost ten times as much. */
export function continueTrace(incoming: unknown, uuid: string = randomUUID()): string {
  const low = `${uuid.slice(19, 23)}${uuid.slice(24)}`;
  if (isTraceparent(incoming)) return `${incoming.slice(0, 36)}${low}${incoming.slice(52)}`;
  // The first span id may repeat a part of the trace id.
  return `00-${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(14, 18)}${low}-${low}-01`;
}

export type Span = {
  name: string;
  kind: "internal" | "server" | "client" | "producer" | "consumer";
  /** Trace id and id of the span itself. */
  traceparent: string;
  parent: string | null;
  /** A span of another trace that led to this one. */
  link?: string;
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; absent on success. */
  error?: string;
};
