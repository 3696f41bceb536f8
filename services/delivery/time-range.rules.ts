/** Times a caller gives: ISO 8601, a day or a moment; without an offset it is UTC. */
import { AppError } from "../../shared/errors.ts";

export type TimeRange = { from: Date | null; to: Date | null };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

export function parseTime(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  // A plus sign in a query that was not escaped arrives as a space.
  const text = value.trim().replace(/ (\d{2}:?\d{2})$/, "+$1");
  if (DAY.test(text)) return valid(new Date(`${text}T00:00:00Z`));
  const offset = MOMENT.exec(text)?.[3];
  if (!MOMENT.test(text)) return null;
  return valid(new Date(offset ? text : `${text}Z`));
}

const valid = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date);

/** Both ends belong to it. Either may be left out. */
export function parseRange(from: unknown, to: unknown): TimeRange {
  const range = { from: given(from), to: given(to) };
  if (range.from && range.to && range.to <= range.from) throw rangeInvalid("to must be after from.");
  return range;
}

function given(value: unknown): Date | null {
  if (value === undefined || value === null || value === "") return null;
  const time = parseTime(value);
  if (!time) throw rangeInvalid("from and to must be times in ISO 8601, such as 2026-01-31T12:00:00Z.");
  return time;
}

export const rangeInvalid = (message: string): AppError => new AppError("Webhook.RangeInvalid", message);
