/** The outcome of an attempt, as it is stored and shown. */
import type { AttemptErrorKind } from "../../../shared/contract/vocabularies.ts";

export type AttemptOutcome = {
  ok: boolean;
  statusCode: number | null;
  errorKind: AttemptErrorKind | null;
  responseExcerpt: string | null;
  durationMs: number;
  sentAt: Date;
  /** Set only for 429 and 503: how long the receiver asks not to be called. */
  retryAfterMs: number | null;
};

export const EXCERPT_BYTES = 4_096;

/** The longest pause a receiver can ask for. */
const MAX_PAUSE_MS = 3_600_000;

export function judgeStatus(statusCode: number): Pick<AttemptOutcome, "ok" | "errorKind"> {
  if (statusCode >= 200 && statusCode < 300) return { ok: true, errorKind: null };
  return { ok: false, errorKind: statusCode >= 300 && statusCode < 400 ? "Redirect" : "HttpStatus" };
}

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3); anything else counts as absent. */
export function readRetryAfter(
  statusCode: number,
  header: string | readonly string[] | undefined,
  nowMs: number,
): number | null {
  if (statusCode !== 429 && statusCode !== 503) return null;
  const value = (typeof header === "string" ? header : header?.[0])?.trim() ?? "";
  const waitMs = /^\d{1,12}$/.test(value) ? Number(value) * 1_000 : httpDate(value) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, MAX_PAUSE_MS) : null;
}

const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

function httpDate(value: string): number {
  if (!HTTP_DATES.some((form) => form.test(value))) return Number.NaN;
  return Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
}

/** At most 4 KiB as text; a character cut in two at the end is left out. */
export function excerptOf(body: Uint8Array): string {
  if (body.byteLength < EXCERPT_BYTES) return decoder.decode(body);
  // A decoder of its own: it keeps the bytes of the cut character.
  return new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES), { stream: true });
}

const decoder = new TextDecoder();
