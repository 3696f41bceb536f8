/** The range of time that a caller asks for. */
import { AppError } from "../../../shared/errors.ts";
import { parseTime } from "../../../shared/iso-time.rules.ts";

export type TimeRange = { from: Date | null; to: Date | null };

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
