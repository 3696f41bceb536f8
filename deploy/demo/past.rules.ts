/** Times in the last two weeks for records that were created within a minute. */
import type { AttemptErrorKind } from "../../shared/contract/vocabularies.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SPREAD_MS = 14 * DAY_MS;
/** A second of the creation becomes an hour of the past. */
const STRETCH = 3_600;
/** Moved records end before the present moment. */
const MARGIN_MS = 60_000;

/** Times of one customer: when it was created, and when it last changed. */
export type Span = { fromMs: number; toMs: number };
export type MoveTime = (ms: number) => number;

/** Customers in the order of their creation: the first two weeks ago, the last just now. */
export function intoThePast({ fromMs, toMs }: Span, place: number, places: number, nowMs: number): MoveTime {
  const begins = nowMs - MARGIN_MS - SPREAD_MS * (1 - (place + 1) / (places + 1));
  const room = nowMs - MARGIN_MS - begins;
  const stretch = Math.min(STRETCH, room / Math.max(1, toMs - fromMs));
  return (ms) => Math.round(begins + Math.min(room, Math.max(0, ms - fromMs) * stretch));
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A record with every time in it moved. The named fields, and values of the database's own types, stay. */
export function moved<T>(value: T, move: MoveTime, untouched: readonly string[] = []): T {
  const walk = (each: unknown): unknown => {
    if (each instanceof Date) return new Date(move(each.getTime()));
    if (typeof each === "string" && TIME.test(each)) return new Date(move(Date.parse(each))).toISOString();
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== "object" || each === null) return each;
    if (Object.getPrototypeOf(each) !== Object.prototype) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, one]) => [name, untouched.includes(name) ? one : walk(one)]),
    );
  };
  return walk(value) as T;
}

export type PastAttempt = {
  attemptNo: number;
  sentAt: Date;
  statusCode: number | null;
  responseExcerpt: string | null;
  durationMs: number;
  errorKind: AttemptErrorKind | null;
};

type Failure = Pick<PastAttempt, "statusCode" | "responseExcerpt" | "durationMs" | "errorKind">;
const FAILURES: readonly Failure[] = [
  { statusCode: 503, responseExcerpt: "upstream is restarting", durationMs: 212, errorKind: "HttpStatus" },
  { statusCode: null, responseExcerpt: null, durationMs: 15_000, errorKind: "Timeout" },
  {
    statusCode: 500,
    responseExcerpt: '{"error":"database is locked"}',
    durationMs: 640,
    errorKind: "HttpStatus",
  },
  { statusCode: 404, responseExcerpt: "<h1>Not found</h1>", durationMs: 31, errorKind: "HttpStatus" },
];

/** Every ninth delivery had failed attempts; some old ones are exhausted. */
export function troubleOf(
  place: number,
  occurredAt: Date,
  retryWaitsMs: readonly number[],
  nowMs: number,
): PastAttempt[] | null {
  if (place % 9 !== 4) return null;
  const wholeMs = retryWaitsMs.reduce((sum, wait) => sum + wait, 0);
  const isOver = occurredAt.getTime() + wholeMs < nowMs - MARGIN_MS;
  const failed = place % 2 === 0 && isOver ? retryWaitsMs.length : 1 + (place % 2);
  const failure = FAILURES[place % FAILURES.length] as Failure;
  const tries = Math.min(retryWaitsMs.length, failed + 1);
  let at = occurredAt.getTime();
  return Array.from({ length: tries }, (_, index) => {
    at += retryWaitsMs[index] ?? 0;
    const facts: Failure =
      index < failed
        ? failure
        : { statusCode: 200, responseExcerpt: '{"received":true}', durationMs: 48, errorKind: null };
    return { attemptNo: index + 1, sentAt: new Date(at), ...facts };
  });
}
