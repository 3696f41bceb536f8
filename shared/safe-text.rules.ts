/** Text that strangers wrote, made safe to be shown: terminals obey control characters, spreadsheets a first = + - @. */

/** Control characters, separators of lines, and marks that change the direction of writing. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Also in the wide form that some spreadsheets take for the same. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PHONE = /^\+\d+$/;
const REPLACEMENT = "\ufffd";

/** Line feeds stay; a formula becomes a text by the apostrophe that spreadsheets have for it. */
export function safeText(text: string): string {
  const shown = text.replaceAll(HIDDEN, (hidden) => (hidden === "\n" ? hidden : REPLACEMENT));
  return FORMULA.test(shown) && !PHONE.test(shown) ? `'${shown}` : shown;
}

/** The same value, with every text in it made safe. */
export function safeTexts<T>(value: T): T {
  if (typeof value === "string") return safeText(value) as T;
  if (Array.isArray(value)) return value.map(safeTexts) as T;
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, safeTexts(inner)])) as T;
}

/** For one line of a terminal. */
export const lineText = (text: string): string => safeText(text.replaceAll(HIDDEN, "?"));

/** The same JSON, in characters that a terminal only shows. */
export const printableJson = (json: string): string =>
  json.replaceAll(HIDDEN, (hidden) =>
    hidden === "\n" ? hidden : `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
