/** Parses ISO 8601 dates and times from callers; without an offset they are UTC. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Both, for the API document. */
export const TIME_PATTERN =
  "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?$";

export const isDay = (text: string): boolean => DAY.test(text);

export function parseTime(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  // An unescaped plus sign in a query string arrives as a space.
  const text = value.trim().replace(/ (\d{2}:?\d{2})$/, "+$1");
  const day = text.slice(0, 10);
  if (!DAY.test(day) || !isInCalendar(day)) return null;
  if (day === text) return midnight(day);
  const moment = MOMENT.exec(text);
  return moment && valid(new Date(moment[3] ? text : `${text}Z`));
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Date would turn 30 February into 2 March. */
const isInCalendar = (day: string): boolean => valid(midnight(day))?.toISOString().startsWith(day) ?? false;

const valid = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date);
