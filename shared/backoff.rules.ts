/** Pure: a wait that doubles with each failure, up to a bound. */
export const backoffMs = (firstMs: number, maxMs: number, failuresBefore: number): number =>
  Math.min(maxMs, firstMs * 2 ** failuresBefore);
