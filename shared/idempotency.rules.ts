/** A POST with an Idempotency-Key runs once: for a day a repeated request gets the first answer. */
import { createHash } from "node:crypto";
import { HOUR_MS, IDEMPOTENCY_HOURS } from "./contract/durations.ts";
import { AppError } from "./errors.ts";
import { sortedJson } from "./is-record.ts";

const KEPT_MS = IDEMPOTENCY_HOURS * HOUR_MS;

/** The first request as recorded; `at` is an ISO time. */
type FirstRequest = { at: string; fingerprint: string };

/** `expired`: the key may be used for something new. `replay`: the first answer counts. */
export function judgeKey(first: FirstRequest, fingerprint: string, nowMs: number): "expired" | "replay" {
  if (isExpired(first.at, nowMs)) return "expired";
  if (first.fingerprint === fingerprint) return "replay";
  throw new AppError(
    "Idempotency.KeyReused",
    `This Idempotency-Key was used for another request in the last ${IDEMPOTENCY_HOURS} hours; use a new key for a new request.`,
  );
}

export const isExpired = (at: string, nowMs: number): boolean => nowMs - Date.parse(at) >= KEPT_MS;

/** Answers of this time and before have expired. */
export const keptSince = (nowMs: number): string => new Date(nowMs - KEPT_MS).toISOString();

/** The same for the same request, in any order of its properties. */
export const fingerprintOf = (...parts: unknown[]): string =>
  createHash("sha256").update(sortedJson(parts)).digest("base64url");

export type KeyedRequest = { key: string; fingerprint: string };

export const keyedRequest = (key: string | null, ...parts: unknown[]): KeyedRequest | null =>
  key === null ? null : { key, fingerprint: fingerprintOf(...parts) };

export const keyUnderWay = (): AppError =>
  new AppError(
    "Idempotency.InProgress",
    "A request with this Idempotency-Key is under way; send it again for its answer.",
    { retryAfterSeconds: 1 },
  );

export const REPLAYED = { "Idempotent-Replayed": "true" } as const;
