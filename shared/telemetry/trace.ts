/** W3C trace context, carried as one string from the HTTP request to the webhook attempt. */
import { randomUUID } from "node:crypto";

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export const isTraceparent = (value: unknown): value is string =>
  typeof value === "string" && TRACEPARENT.test(value);

/**
 * Goes on with the caller's trace, or begins one. The random digits are those of a UUID, because Node keeps some in
 * stock and asking for bytes costs ten times as much; one may be given that is known already.
 */
export function continueTrace(incoming: unknown, uuid: string = randomUUID()): string {
  const low = `${uuid.slice(19, 23)}${uuid.slice(24)}`;
  if (isTraceparent(incoming)) return `${incoming.slice(0, 36)}${low}${incoming.slice(52)}`;
  // The first span of a trace may bear a part of its name.
  return `00-${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(14, 18)}${low}-${low}-01`;
}

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type Span = {
  name: string;
  kind: SpanKind;
  /** Of the span itself: its trace and its id. */
  traceparent: string;
  parent: string | null;
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; left out when it did not. */
  error?: string;
};
