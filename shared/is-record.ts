/** A JSON object of unknown content. */
export type Raw = Readonly<Record<string, unknown>>;

/** True for a JSON object: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
