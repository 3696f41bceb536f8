/** Small questions about single values. */
import { isoOf } from "../../../shared/clock.ts";

export const PHONE = /^\+[1-9]\d{6,14}$/;
export const EMAIL = /^[^\s@]+@[^\s@]+$/;
export const DATE = /^\d{4}-\d{2}-\d{2}$/;
export const COUNTRY_CODE = /^[A-Z]{3}$/;
export const PARTNER_CUSTOMER_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}$/;

/** A day that exists, as YYYY-MM-DD. Such days compare as text. */
export function isCalendarDay(value: string): boolean {
  if (!DATE.test(value)) return false;
  const [year, month, day] = [Number(value.slice(0, 4)), Number(value.slice(5, 7)), Number(value.slice(8))];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export const dayOf = (nowMs: number): string => isoOf(nowMs).slice(0, 10);

const ABSOLUTE_HTTP = /^https?:\/\/[^\s/?#]/i;

export const isWebsite = (value: string): boolean =>
  ABSOLUTE_HTTP.test(value) && !/\s/.test(value) && URL.canParse(value);

/** A NUL or half a surrogate pair does not survive storage unchanged. */
export const isStorable = (value: string): boolean => !value.includes("\0") && value.isWellFormed();

/** The same for every text inside a value. */
export function isStorableThroughout(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (value === null || typeof value !== "object") return true;
  for (const inner of Object.values(value)) if (!isStorableThroughout(inner)) return false;
  return true;
}

export const foldedEmail = (value: string): string => value.toLowerCase();

/** The key under which names are compared and searched: composed, lower case. */
export const foldedName = (value: string): string => value.normalize("NFKC").toLowerCase();

/** Readable part of a masked value: nothing of a value of up to four characters. */
export function lastFourOf(value: string): string {
  if (value.length <= 4) return "";
  const tail = value.slice(-4);
  return tail.isWellFormed() ? tail : tail.slice(1);
}

/** As reads show numbers; no document has such a one. */
export const isMasked = (value: unknown): boolean => typeof value === "string" && value.startsWith("****");

export const masked = (lastFour: string): string => `****${lastFour}`;
