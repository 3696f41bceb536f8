/** Reads and bounds query parameters one by one, and collects everything that is wrong with them. */
import type { ErrorCode } from "../contract/error-codes.ts";
import { AppError, type Violation } from "../errors.ts";
import { isDay, parseTime } from "../iso-time.rules.ts";

export type Query = Readonly<Record<string, unknown>>;
/** ISO 8601 times, both inclusive. */
export type Range = { from: string | null; to: string | null };

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;
export const MAX_PAGE = 1_000_000;
const MAX_FILTER_CHARACTERS = 255;
const NOT_A_TIME = "must be an ISO 8601 time or date";

type Refusal = Violation & { code: ErrorCode };

export class QueryReader {
  readonly #refusals: Refusal[] = [];
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  /** Null when it is absent or empty. */
  text(field: string, code?: ErrorCode): string | null {
    const value = this.#query[field];
    if (value === undefined || value === null) return null;
    if (typeof value === "string" && value.length <= MAX_FILTER_CHARACTERS && !value.includes("\0"))
      return value || null;
    return this.refuse(field, "must be given once, as text", code);
  }

  oneOf<T extends string>(field: string, values: readonly T[], code?: ErrorCode): T | null {
    const value = this.text(field, code);
    if (value === null || values.includes(value as T)) return value as T | null;
    return this.refuse(field, `must be one of ${values.join(", ")}`, code);
  }

  flag(field: string): boolean {
    return this.oneOf(field, ["true", "false"]) === "true";
  }

  integer(field: string, fallback: number, max: number): number {
    const value = this.text(field);
    if (value === null) return fallback;
    if (/^\d{1,16}$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
    this.refuse(field, `must be a whole number from 1 to ${max}`);
    return fallback;
  }

  /** A day without a time is its first moment. */
  time(field: string, code?: ErrorCode): Date | null {
    const value = this.text(field, code);
    if (value === null) return null;
    return parseTime(value) ?? this.refuse(field, NOT_A_TIME, code);
  }

  /** From and to are both part of the range; a day without a time means the whole day. */
  range(fromField: string, toField: string): Range {
    const to = this.#timeSince1970(toField);
    const isWholeDay = to !== null && isDay(String(this.#query[toField]));
    return {
      from: this.#timeSince1970(fromField),
      to: isWholeDay ? to.replace("T00:00:00.000Z", "T23:59:59.999Z") : to,
    };
  }

  #timeSince1970(field: string): string | null {
    const time = this.time(field);
    if (time && time.getTime() < 0) return this.refuse(field, NOT_A_TIME);
    return time?.toISOString() ?? null;
  }

  refuse(field: string, message: string, code: ErrorCode = "ValidationControl.Error"): null {
    this.#refusals.push({ field, code, message });
    return null;
  }

  /** Throws when anything was refused, with the code of the first refusal. */
  finish<T>(result: T): T {
    const [first] = this.#refusals;
    if (first)
      throw new AppError(first.code, `${first.field}: ${first.message}`, { details: this.#refusals });
    return result;
  }
}
